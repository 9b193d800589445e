import { expect } from 'chai';

import { DeliveryShares } from './delivery-shares.ts';

describe('the share of an endpoint', () => {
  it('is a few deliveries at a time, beside those of others', () => {
    const shares = new DeliveryShares(2);
    const first = shares.enter('a');
    expect(shares.enter('a')).to.not.equal(undefined);
    expect(shares.enter('a')).to.equal(undefined);
    expect(shares.enter('b')).to.not.equal(undefined);
    first?.[Symbol.dispose]();
    expect(shares.enter('a')).to.not.equal(undefined);
    expect(shares.enter('a')).to.equal(undefined);
  });

  it('is one while it fails', () => {
    const shares = new DeliveryShares(3);
    shares.record('a', false);
    const only = shares.enter('a');
    expect(shares.enter('a')).to.equal(undefined);
    shares.record('a', true);
    expect(shares.enter('a')).to.not.equal(undefined);
    only?.[Symbol.dispose]();
  });
});
