import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempDisposableSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const isRoot = process.getuid?.() === 0;
  return spawnSync(process.execPath, ['--conditions=source', ...args], {
    cwd: checkout,
    env,
    encoding: 'utf8',
    // What is compiled is for the user of the images.
    ...(isRoot && env['NODE_COMPILE_CACHE'] !== undefined ? { uid: 65_532, gid: 65_532 } : {}),
    maxBuffer: 64 * 1024 * 1024,
  });
};

describe('what images have compiled of a service', () => {
  it('is used by Node from a read-only folder', () => {
    const service = 'proxy-gateway';
    using folder = mkdtempDisposableSync(join(tmpdir(), 'glovebox-compiled-'));
    chmodSync(folder.path, 0o755);
    const cache = join(folder.path, 'compile-cache');
    const made = node(['deploy/images/compile-ahead.mjs', service, cache]);
    expect(made.status, made.stderr).to.equal(0);
    const [version = ''] = readdirSync(cache);
    chmodSync(join(cache, version), 0o555);
    chmodSync(cache, 0o555);
    const started = node([`services/${service}/src/main.ts`], {
      NODE_COMPILE_CACHE: cache,
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    });
    // Without any setting it ends before it has loaded what the settings are for.
    expect(started.status).to.equal(78);
    const said = `${started.stdout}${started.stderr}`;
    expect(said.match(/was accepted/g)?.length ?? 0).to.be.above(10);
    expect(said).not.to.match(/was rejected/);
  });
});
