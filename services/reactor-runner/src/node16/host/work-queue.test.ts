import { expect } from 'chai';

import { WorkQueue } from './work-queue.ts';

describe('work for the threads of the host', () => {
  it('is done four pieces at a time, in the order of its arrival', async () => {
    const queue = new WorkQueue();
    const begun: number[] = [];
    const ends = Array.from({ length: 6 }, () => Promise.withResolvers<number>());
    const results = ends.map(({ promise }, n) =>
      queue.do(() => {
        begun.push(n);
        return promise;
      }),
    );
    expect(begun).to.deep.equal([0, 1, 2, 3]);
    ends[2]?.resolve(2);
    expect(await results[2]).to.equal(2);
    expect(begun).to.deep.equal([0, 1, 2, 3, 4]);
    ends.forEach(({ resolve }, n) => resolve(n));
    expect(await Promise.all(results)).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('goes on after a piece that fails', async () => {
    const queue = new WorkQueue();
    const fails = Array.from({ length: 9 }, () =>
      queue.do(() => Promise.reject(new Error('no'))).catch((error: Error) => error.message),
    );
    expect(await queue.do(() => Promise.resolve('done'))).to.equal('done');
    expect(new Set(await Promise.all(fails))).to.deep.equal(new Set(['no']));
  });

  it('is called off unless it has begun', async () => {
    const queue = new WorkQueue();
    let begun = 0;
    const end = Promise.withResolvers<string>();
    const results = Array.from({ length: 10 }, () =>
      queue
        .do(() => {
          begun += 1;
          return end.promise;
        })
        .catch((error: Error) => error.message),
    );
    queue.callOff();
    const later = queue.do(() => Promise.resolve('later'));
    end.resolve('done');
    expect(await Promise.all(results)).to.deep.equal([
      ...Array.from({ length: 4 }, () => 'done'),
      ...Array.from({ length: 6 }, () => 'it was called off'),
    ]);
    expect(await later).to.equal('later');
    expect(begun).to.equal(4);
  });
});
