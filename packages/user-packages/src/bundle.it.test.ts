import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from 'chai';

import { allowList } from './allow-list.ts';
import { buildFixes, fixed } from './build-fixes.ts';
import { bundlePackages } from './bundle.ts';
import { folderOf } from './installed.ts';
import { licencesOf } from './licences.ts';
import { packagesKey } from './packages-key.ts';

const listed = (...names: string[]) => allowList.filter(({ name }) => names.includes(name));

/** What a bundle gives for a name. */
function evaluate(text: string, name: string): Record<string, unknown> {
  const module = { exports: {} };
  const required = (name: string) => process.getBuiltinModule(name.replace('node:', '')) as unknown;
  // oxlint-disable-next-line typescript/no-implied-eval -- the isolate does the same
  const run = new Function('exports', 'require', 'module', '__filename', '__dirname', text);
  run(module.exports, required, module, '/index.js', '/');
  const table = module.exports as Record<string, () => Record<string, unknown>>;
  return table[name]?.() ?? {};
}

describe('the bundles of packages', () => {
  it('are scripts that map each name to its package, and need only Node’s own modules', async () => {
    const { names, texts } = await bundlePackages(listed('csv-parse', 'uuid'));
    expect([...names]).to.deep.equal([
      ['csv-parse', 'csv-parse'],
      ['csv-parse/sync', 'csv-parse'],
      ['uuid', 'uuid'],
    ]);
    expect([...texts.keys()]).to.deep.equal(['csv-parse', 'uuid']);
    const { parse } = evaluate(texts.get('csv-parse') ?? '', 'csv-parse/sync') as {
      parse: (text: string) => unknown;
    };
    expect(parse('a,b')).to.deep.equal([['a', 'b']]);
    expect(evaluate(texts.get('uuid') ?? '', 'uuid')).to.have.property('v4');
  });

  it('are the same however often they are made', async () => {
    const list = listed('jsonwebtoken', 'split2', '@glovebox/sdk');
    expect(await bundlePackages(list)).to.deep.equal(await bundlePackages(list));
  });

  it('hold ASCII only, and large JSON apart', async () => {
    const { texts } = await bundlePackages(listed('node-fetch', 'axios'));
    expect([...texts.keys()]).to.include.members(['axios', 'node-fetch']);
    const data = [...texts].filter(([name]) => name.startsWith('json:'));
    expect(data).to.not.have.length(0);
    for (const [, text] of data) expect(() => void JSON.parse(text)).to.not.throw();
    for (const [name, text] of texts) expect(/[^\0-\x7f]/.test(text), name).to.equal(false);
  });

  it('come with the licence of each package that is in them', async () => {
    const { folders } = await bundlePackages(listed('split2', 'openpgp', '@glovebox/sdk'));
    const licences = licencesOf(folders);
    expect(licences).to.match(/split2 4\.2\.0: ISC\n\nCopyright/);
    expect(licences).to.match(/openpgp 5\.9\.0: LGPL-3\.0\+\n\nGNU LESSER GENERAL PUBLIC LICENSE/);
    expect(licences).to.not.contain('glovebox');
  });

  it('have a key by which they are found again', () => {
    expect(packagesKey())
      .to.match(/^[0-9a-f]{16}$/)
      .and.equal(packagesKey());
  });

  it('are abandoned when no caller waits for them', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'packages-'));
    const main = path.join(import.meta.dirname, 'write-packages-main.ts');
    const child = spawn(process.execPath, ['--conditions=source', main, folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end();
    expect(await once(child, 'exit')).to.deep.equal([1, null]);
    await rm(folder, { recursive: true });
  });

  it('can not be made when a package is not what was fixed any more', async () => {
    for (const fix of buildFixes) {
      const file = path.join(folderOf(fix.file.split('/')[0] ?? ''), '..', fix.file);
      expect(existsSync(file), fix.file).to.equal(true);
      expect(fixed(await readFile(file, 'utf8'), fix)).to.contain(fix.replacement);
      expect(() => fixed('', fix)).to.throw('look at build-fixes.ts');
    }
  });
});
