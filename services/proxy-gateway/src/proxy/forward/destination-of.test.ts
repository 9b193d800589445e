import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { noServiceHeaders } from '../../http/headers/service-headers.ts';
import { connectionHeader } from './destination-of.ts';

describe('the Connection header towards a destination', () => {
  const of = (proxyConnection: string | undefined) =>
    connectionHeader({ ...noServiceHeaders(), proxyConnection });

  it('can end the connection, and otherwise stays the service’s own', () => {
    expect(of('close')).to.deep.equal(['Connection', 'close']);
    expect(of(' Close ')).to.deep.equal(['Connection', 'close']);
    expect(of('Keep-Alive')).to.deep.equal([]);
    expect(of(undefined)).to.deep.equal([]);
  });

  it('names no header and no protocol', () => {
    for (const value of ['', 'upgrade', 'close, authorization', 'keep-alive, SVC-API-KEY', 'x\r\ny: z']) {
      expect(() => of(value), value)
        .to.throw(AppError)
        .with.property('code', 'invalid_argument');
    }
  });
});
