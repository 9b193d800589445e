import { expect } from 'chai';

import { growthOf, lastingWorkers, soak } from './soak.ts';

/** scripts/soak.ts does it for as long as one likes. */
const seconds = 18;

describe('a runner that has been busy for a while', function () {
  this.timeout(120_000);

  it('needs no more memory than before, and nor do its workers', async () => {
    const { calls, surprises, samples } = await soak(seconds);
    expect(surprises).to.deep.equal([]);
    expect(calls).to.be.greaterThan(100);
    expect(growthOf(samples.map(({ heap }) => heap))).to.be.lessThan(8);
    for (const values of lastingWorkers(samples)) expect(growthOf(values)).to.be.lessThan(40);
    for (const { workers } of samples) expect(workers.size).to.be.at.most(2 * 3 + 1);
  });
});
