import { expect } from 'chai';

import { firstConnection } from './first-connection.ts';

describe('the first connection to a peer', () => {
  const isAway: () => Promise<void> = () => Promise.reject(new Error('away'));
  const isThere: () => Promise<void> = () => Promise.resolve();

  it('keeps a service from being ready, and later breaks of it do not', async () => {
    let peer = isAway;
    const check = firstConnection({ waitForReady: () => peer() });
    expect(await check()).to.equal('not connected');
    peer = isThere;
    expect(await check()).to.equal(undefined);
    peer = isAway;
    expect(await check()).to.equal(undefined);
  });

  it('is waited for only so long', async () => {
    expect(await firstConnection({ waitForReady: isAway }, performance.now() - 5001)()).to.equal(undefined);
  });
});
