import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { TenantBtRequests } from './tenant-bt-requests.ts';

describe('the requests by bt of one tenant', () => {
  const limits = { btRequestsPerTenant: 3, btRequestBytesPerTenant: 100 };
  const refused = (work: () => unknown) => expect(work).to.throw(AppError, 'Too many calls by bt');

  it('are no more at once than they may be, and leave those of others alone', () => {
    const requests = new TenantBtRequests(limits);
    const open = [1, 2, 3].map(() => requests.enter('a', 1));
    refused(() => requests.enter('a', 1));
    requests.enter('b', 1);
    open[1]?.[Symbol.dispose]();
    requests.enter('a', 1);
    refused(() => requests.enter('a', 1));
  });

  it('have no more bytes together than they may, except for one alone', () => {
    const requests = new TenantBtRequests(limits);
    const large = requests.enter('a', 1000);
    refused(() => requests.enter('a', 1));
    large[Symbol.dispose]();
    requests.enter('a', 60);
    requests.enter('a', 40);
    refused(() => requests.enter('a', 1));
  });
});
