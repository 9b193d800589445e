import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { writePack } from '@glovebox/user-packages/pack';
import { expect } from 'chai';

import { PackageLibrary } from './package-library.ts';

describe('the packages of a worker process', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'packages-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('are none without a file', () => {
    const packages = new PackageLibrary(undefined);
    expect([packages.names(), packages.find('axios')]).to.deep.equal([[], undefined]);
  });

  it('say that they are being prepared, when that takes long', async () => {
    const file = path.join(folder, 'empty.pack');
    await writeFile(file, '');
    expect(() => new PackageLibrary(file, 100).find('axios')).to.throw('being prepared on this runner');
  });

  it('are named without the paths below them', async () => {
    const file = path.join(folder, 'names.pack');
    const names = ['@a/b', '@a/b/c', 'd', 'd/e'].map((name) => [name, 'text'] as const);
    await writePack(file, { names: new Map(names), texts: new Map() });
    expect(new PackageLibrary(file).names()).to.deep.equal(['@a/b', 'd']);
  });
});
