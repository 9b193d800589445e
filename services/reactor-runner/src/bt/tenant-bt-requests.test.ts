import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { TenantAsks } from './tenant-bt-requests.ts';

describe('the asks of one tenant', () => {
  const limits = { asksPerTenant: 3, askedBytesPerTenant: 100 };
  const refused = (work: () => unknown) => expect(work).to.throw(AppError, 'Too many calls by bt');

  it('are no more at once than they may be, and leave those of others alone', () => {
    const asks = new TenantAsks(limits);
    const open = [1, 2, 3].map(() => asks.enter('a', 1));
    refused(() => asks.enter('a', 1));
    asks.enter('b', 1);
    open[1]?.[Symbol.dispose]();
    asks.enter('a', 1);
    refused(() => asks.enter('a', 1));
  });

  it('have no more bytes together than they may, except for one alone', () => {
    const asks = new TenantAsks(limits);
    const large = asks.enter('a', 1000);
    refused(() => asks.enter('a', 1));
    large[Symbol.dispose]();
    asks.enter('a', 60);
    asks.enter('a', 40);
    refused(() => asks.enter('a', 1));
  });
});
