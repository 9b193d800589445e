import { expect } from 'chai';

import { classOfDuration, durationClasses, percentileOf } from './duration-classes.ts';

function counted(durations: readonly number[]): number[] {
  const counts = Array<number>(durationClasses).fill(0);
  for (const one of durations) counts[classOfDuration(one)] = (counts[classOfDuration(one)] ?? 0) + 1;
  return counts;
}

describe('percentiles of durations that are counted in classes', () => {
  it('are within the class of the true one', () => {
    const durations = Array.from({ length: 1000 }, (_, n) => n);
    expect(percentileOf(counted(durations), 0.5)).to.be.within(200, 500);
    expect(percentileOf(counted(durations), 0.99)).to.be.within(500, 1000);
    expect(percentileOf(counted([3]), 0.99)).to.be.within(2, 5);
  });

  it('are nothing without durations, and the last bound beyond it', () => {
    expect(percentileOf(counted([]), 0.5)).to.equal(undefined);
    expect(percentileOf([], 0.5)).to.equal(undefined);
    expect(percentileOf(counted([99_999]), 0.5)).to.equal(30_000);
  });
});
