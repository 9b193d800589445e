import { expect } from 'chai';

import { LatestMarker } from './latest-marker.ts';

const marker = { installationId: 'a', lastEntry: 1, sequence: 1, floor: 0, floorEntry: 0 };

/** As of how many milliseconds ago; undefined: for nothing. */
function vouchesAsOf(ageMs: number, maxStaleMs: number): number | undefined {
  const now = Date.now();
  const latest = new LatestMarker({ keys: new Map(), name: 'marker', maxStaleMs });
  const asOf = latest.vouchesAsOf({ ...marker, signedAt: now - ageMs });
  return asOf === undefined ? undefined : now - asOf;
}

describe('a signed marker', () => {
  it('vouches as of its signature, so that nothing serves longer than the stale time after that', () => {
    for (const ageMs of [0, 9_000, 29_000, 59_000])
      expect(vouchesAsOf(ageMs, 60_000), String(ageMs)).to.equal(ageMs);
    expect(vouchesAsOf(61_000, 60_000)).to.equal(undefined);
  });

  it('vouches for half a minute even where the stale time is shorter, since it is signed every ten seconds', () => {
    expect(vouchesAsOf(20_000, 0)).to.equal(20_000);
    expect(vouchesAsOf(31_000, 0)).to.equal(undefined);
  });

  it('vouches for no time that is still to come', () => {
    expect(vouchesAsOf(-5_000, 60_000)).to.be.within(-1_000, 0);
  });
});
