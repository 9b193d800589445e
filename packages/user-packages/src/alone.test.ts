import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect } from 'chai';

import { alone } from './alone.ts';

describe('work that one process does for all', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'alone-'));
    file = path.join(folder, 'writing');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const never = () => false;

  it('is done by one, and the others wait for it', async () => {
    let done = 0;
    let atOnce = 0;
    const work = async () => {
      atOnce += 1;
      expect(await readFile(file, 'utf8')).to.equal(String(process.pid));
      expect(atOnce).to.equal(1);
      done += 1;
    };
    await Promise.all([1, 2, 3].map(() => alone(file, () => done > 0, work)));
    expect([done, existsSync(file)]).to.deep.equal([1, false]);
  });

  it('is done by another when it fails', async () => {
    const [failed] = await Promise.allSettled([
      alone(file, never, () => Promise.reject(new Error('no room'))),
    ]);
    expect(failed).to.deep.include({ status: 'rejected' });
    let done = false;
    await alone(file, never, async () => {
      done = true;
    });
    expect([done, existsSync(file)]).to.deep.equal([true, false]);
  });

  it('is taken over from who has been killed, or was so long ago that it does not matter who it was', async () => {
    // Linux gives no process a number above 2 ** 22.
    await writeFile(file, String(2 ** 22 + 1));
    let done = 0;
    const work = async () => {
      done += 1;
    };
    await alone(file, never, work);
    await writeFile(file, String(process.pid));
    await utimes(file, new Date(0), new Date(0));
    await alone(file, never, work);
    expect(done).to.equal(2);
  });

  it('is nothing when it has been done', async () => {
    await alone(
      file,
      () => true,
      () => Promise.reject(new Error('done twice')),
    );
  });
});
