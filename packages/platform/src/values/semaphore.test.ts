import { expect } from 'chai';

import { Semaphore } from './semaphore.ts';

describe('a semaphore', () => {
  it('runs no more at once than it may, all of them, in order', async () => {
    const semaphore = new Semaphore(2);
    const started: number[] = [];
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const results = gates.map(({ promise }, i) =>
      semaphore.run(async () => {
        started.push(i);
        await promise;
        return i;
      }),
    );
    for (const [i, gate] of gates.entries()) {
      await Promise.resolve();
      expect(started).to.deep.equal([0, 1, 2, 3, 4].slice(0, i + 2));
      gate.resolve();
      expect(await results[i]).to.equal(i);
    }
  });

  it('goes on after work that failed', async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(new Error('on purpose')));
    const next = semaphore.run(() => Promise.resolve('done'));
    expect(await failed.catch((error: Error) => error.message)).to.equal('on purpose');
    expect(await next).to.equal('done');
  });
});
