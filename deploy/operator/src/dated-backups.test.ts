import { mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { nameFor, removeOldBackups, wholeBackups } from './dated-backups.ts';

const now = new Date('2026-11-21T02:17:03.456Z');

describe('backups that are named by their time', () => {
  let stack: AsyncDisposableStack;
  let folder: string;

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'glovebox-dated-'))).path;
  });
  afterEach(() => stack.disposeAsync());

  const make = async (name: string, ...files: string[]) => {
    await mkdir(join(folder, name));
    for (const file of files) await writeFile(join(folder, name, file), '');
  };
  const whole = (name: string) => make(name, 'control.dump', 'vault.dump', 'manifest.json');

  it('are in the order of time in every listing', async () => {
    const times = ['2026-11-21T02:17:03.456Z', '2026-02-01T00:00:00Z', '2025-12-31T23:59:59.999Z'];
    const names = times.map((time) => nameFor(new Date(time)));
    expect(names).to.deep.equal(['2026-11-21T021703Z', '2026-02-01T000000Z', '2025-12-31T235959Z']);
    for (const name of names) await whole(name);
    await make('2026-11-22T021703Z', 'control.dump');
    expect(await wholeBackups(folder)).to.deep.equal(names.toReversed());
  });

  it('are removed when there are as many newer ones as are to be kept', async () => {
    for (const day of ['18', '19', '20', '21']) await whole(`2026-11-${day}T021703Z`);
    expect(await removeOldBackups(folder, 2, now)).to.deep.equal([
      '2026-11-18T021703Z',
      '2026-11-19T021703Z',
    ]);
    expect(await readdir(folder)).to.have.members(['2026-11-20T021703Z', '2026-11-21T021703Z']);
    expect(await removeOldBackups(folder, 2, now)).to.deep.equal([]);
  });

  it('do not count while they are not whole, and are removed a day after they were begun', async () => {
    await whole('2026-11-10T021703Z');
    await make('2026-11-20T021702Z', 'control.dump');
    await make('2026-11-20T021704Z', 'control.dump');
    expect(await removeOldBackups(folder, 1, now)).to.deep.equal(['2026-11-20T021702Z']);
    expect(await readdir(folder)).to.have.members(['2026-11-10T021703Z', '2026-11-20T021704Z']);
  });

  it('leave alone whatever is named in another way', async () => {
    await whole('before-the-move');
    await whole('2026-11-19T021703Z-copy');
    await writeFile(join(folder, '2026-11-01T021703Z'), 'a file');
    await whole('2026-11-20T021703Z');
    expect(await removeOldBackups(folder, 1, now)).to.deep.equal([]);
    expect(await readdir(folder)).to.have.length(4);
  });
});
