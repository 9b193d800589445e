import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { noServiceHeaders, readServiceHeaders } from './service-headers.ts';

describe('service headers', () => {
  it('are read under the contract’s names and under those that existing clients send, in any case', () => {
    expect(
      readServiceHeaders(['SVC-API-KEY', 'a', 'svc-proxy-key', 'p', 'Svc-Trace-Id', 't'], true),
    ).to.deep.equal({
      ...noServiceHeaders(),
      apiKey: 'a',
      proxyKey: 'p',
      traceId: 't',
    });
    expect(readServiceHeaders(['BT-API-KEY', 'a', 'bt-proxy-key', 'p'], true)).to.deep.equal({
      ...noServiceHeaders(),
      apiKey: 'a',
      proxyKey: 'p',
    });
  });

  it('count under the contract’s names alone where the aliases are turned off', () => {
    const sent = [
      'BT-API-KEY',
      'b',
      'SVC-API-KEY',
      'a',
      'bt-proxy-url',
      'u',
      'SVC-PROXY-CONNECTION',
      'close',
    ];
    expect(readServiceHeaders(sent, false)).to.deep.equal({
      ...noServiceHeaders(),
      apiKey: 'a',
      proxyConnection: 'close',
    });
  });

  it('leave out everything else', () => {
    expect(
      readServiceHeaders(['Authorization', 'x', 'X-Api-Key', 'y', 'constructor', 'z'], true),
    ).to.deep.equal(noServiceHeaders());
  });

  it('may be repeated with the same value only', () => {
    expect(readServiceHeaders(['SVC-API-KEY', 'a', 'BT-API-KEY', 'a'], true)).to.deep.equal({
      ...noServiceHeaders(),
      apiKey: 'a',
    });
    expect(() => readServiceHeaders(['SVC-API-KEY', 'a', 'BT-API-KEY', 'b'], true))
      .to.throw(AppError)
      .with.property('code', 'invalid_argument');
  });

  it('may hold two correlation ids, of which that under the contract’s name counts', () => {
    const sentInEitherOrder = [
      ['SVC-TRACE-ID', 'a', 'bt-trace-id', 'b'],
      ['bt-trace-id', 'b', 'SVC-TRACE-ID', 'a'],
    ];
    for (const sent of sentInEitherOrder) {
      expect(readServiceHeaders(sent, true)).to.have.property('traceId', 'a');
    }
  });

  it('that are refused name the header and not its value', () => {
    expect(() =>
      readServiceHeaders(['SVC-API-KEY', 'key_secret', 'SVC-API-KEY', 'key_other'], true),
    ).to.throw(/^The header SVC-API-KEY was sent twice with different values\.$/);
  });
});
