import { FairTurns } from '@glovebox/platform/values/fair-turns';
import { expect } from 'chai';

import type { Exchange } from '../http/exchange.ts';
import { waitForTurn } from './admit.ts';

describe('the turn of a request', () => {
  it('is refused to a tenant whose requests wait too long already, and to no other', () => {
    let now = 0;
    const turns = new FairTurns(
      () => now,
      () => undefined,
    );
    const exchange = { turns } as Partial<Exchange> as Exchange;
    // A tenant that is alone waits for no turn.
    void waitForTurn(exchange, 'quiet');
    while (waitForTurn(exchange, 'busy') === undefined);
    now += 1000;
    void waitForTurn(exchange, 'busy');
    now += 1;
    expect(() => waitForTurn(exchange, 'busy')).to.throw(/Too many requests of this tenant/);
    expect(waitForTurn(exchange, 'quiet')).to.be.instanceOf(Promise);
  });
});
