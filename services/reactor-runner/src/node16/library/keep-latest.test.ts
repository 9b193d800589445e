import { mkdir, mkdtempDisposable, readdir, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from 'chai';

import { keepLatest } from './keep-latest.ts';

describe('what is prepared anew with every change', () => {
  it('is kept three times, with what is used now, and what is of another kind is left alone', async () => {
    await using parent = await mkdtempDisposable(path.join(tmpdir(), 'glovebox-prepared-'));
    for (const [at, name] of ['node-1', 'packages-d', 'packages-b', 'packages-a', 'packages-c'].entries()) {
      await mkdir(path.join(parent.path, name));
      await utimes(path.join(parent.path, name), at, at);
    }
    await keepLatest(path.join(parent.path, 'packages-d'), 'packages-');
    expect((await readdir(parent.path)).toSorted()).to.deep.equal([
      'node-1',
      'packages-a',
      'packages-c',
      'packages-d',
    ]);
  });
});
