import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from 'chai';

import { Pack, writePack } from './pack.ts';

describe('a pack', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pack-'));
    file = path.join(folder, 'packages.pack');
    const names = new Map([
      ['a', 'a'],
      ['a/b', 'a'],
      ['c', 'c'],
    ]);
    const texts = new Map([
      ['a', 'first'],
      ['c', ''],
      ['json:d', '{"d":1}'],
    ]);
    await writePack(file, { names, texts });
  });
  after(() => rm(folder, { recursive: true }));

  it('gives each text by the names that it was written with', () => {
    using pack = new Pack(file);
    expect(pack.names()).to.deep.equal(['a', 'a/b', 'c']);
    const found = { text: 'a', name: 'a/b' };
    expect([pack.find('a/b'), pack.find('a/b.js'), pack.find('d')]).to.deep.equal([found, found, undefined]);
    expect(['a', 'c', 'json:d', 'x'].map((text) => pack.read(text))).to.deep.equal([
      'first',
      '',
      '{"d":1}',
      undefined,
    ]);
  });

  it('knows nothing of what every object has', () => {
    using pack = new Pack(file);
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect([pack.find(name), pack.read(name)], name).to.deep.equal([undefined, undefined]);
    }
  });

  it('can be read after its file is gone', async () => {
    const other = path.join(folder, 'other.pack');
    await writePack(other, { names: new Map([['a', 'a']]), texts: new Map([['a', 'kept']]) });
    using pack = new Pack(other);
    await rm(other);
    expect(pack.read('a')).to.equal('kept');
  });

  it('says that it is cut off', async () => {
    const cut = path.join(folder, 'cut.pack');
    await writePack(cut, { names: new Map(), texts: new Map([['a', 'x'.repeat(100)]]) });
    await truncate(cut, 60);
    using pack = new Pack(cut);
    expect(() => pack.read('a')).to.throw('cut off');
  });

  it('may be opened before it is written, and is empty until all of it is there', async () => {
    const empty = path.join(folder, 'empty.pack');
    await writeFile(empty, '');
    using early = new Pack(empty);
    expect([early.isWhole, early.names(), early.find('a'), early.read('a')]).to.deep.equal([
      false,
      [],
      undefined,
      undefined,
    ]);
    // What somebody has left behind who was stopped on the way.
    await writeFile(empty, Buffer.concat([Buffer.alloc(12), Buffer.from('{"names":{')]));
    expect(early.isWhole).to.equal(false);
    await writePack(empty, { names: new Map([['a', 'a']]), texts: new Map([['a', 'text']]) });
    expect([early.isWhole, early.names(), early.read('a')]).to.deep.equal([true, ['a'], 'text']);
  });

  it('is whole even if several processes write it at the same time', async () => {
    const shared = path.join(folder, 'shared.pack');
    const contents = { names: new Map([['a', 'a']]), texts: new Map([['a', 'y'.repeat(1_000_000)]]) };
    await Promise.all([1, 2, 3].map(() => writePack(shared, contents)));
    using pack = new Pack(shared);
    expect(pack.read('a')).to.equal('y'.repeat(1_000_000));
  });
});
