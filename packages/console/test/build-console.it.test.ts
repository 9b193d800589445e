import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { buildConsole } from '../build/build-console.ts';

describe('building the console', function () {
  this.timeout(120_000);

  it('makes the same files where NODE_ENV is development, as in npm start: those of production', async () => {
    const before = process.env['NODE_ENV'];
    const made = await mkdtemp(join(tmpdir(), 'console-'));
    try {
      const built = [];
      for (const environment of ['production', 'development']) {
        process.env['NODE_ENV'] = environment;
        const folder = join(made, environment);
        await buildConsole(folder);
        built.push([
          await readFile(join(folder, 'index.html'), 'utf8'),
          await readdir(join(folder, 'assets')),
        ]);
      }
      // The names of the files have their hashes.
      expect(built[1]).to.deep.equal(built[0]);
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
      await rm(made, { recursive: true, force: true });
    }
  });
});
