import { execFile } from 'node:child_process';
import { copyFile, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import { parse, stringify } from 'yaml';

import { alertsText } from './harness/expressions.ts';

const run = promisify(execFile);

/** By Prometheus' own tool, where there is one (Debian's package `prometheus`). */
describe('the alerts, in Prometheus', () => {
  before(async function () {
    const found = await run('promtool', ['--version']).then(
      () => true,
      () => false,
    );
    if (found) return;
    process.stderr.write('SKIPPED: whether alerts fire is not tested, since there is no promtool\n');
    this.skip();
  });

  it('fire when they should, also on what has not been counted before, and not otherwise', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'glovebox-alerts-'));
    const { spec } = parse(alertsText()) as { spec: object };
    await writeFile(join(folder.path, 'rules.yaml'), stringify(spec));
    const tests = ['alerts-fire.yaml', 'alerts-fire-slowly.yaml'].map((name) => join(folder.path, name));
    for (const file of tests) await copyFile(join(checkout, 'deploy/k8s/test', basename(file)), file);
    await run('promtool', ['check', 'rules', join(folder.path, 'rules.yaml')]);
    await run('promtool', ['test', 'rules', ...tests]);
  }).timeout(30_000);
});
