import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { noServiceHeaders } from '../../http/headers/service-headers.ts';
import { connectionHeader, sentHeaders } from './outbound-request.ts';

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

const unchanged = { contentLength: undefined, decoded: false };
const seen = { correlationId: 'c', aliases: true };

describe('the headers that are sent', () => {
  it('are those that were accepted, with the correlation id', () => {
    expect(sentHeaders(['X-One', '1', 'x-two', '2'], unchanged, seen)).to.deep.equal([
      ...['X-One', '1', 'x-two', '2', 'SVC-TRACE-ID', 'c', 'CDN-Loop', 'glovebox'],
    ]);
  });

  it('keep the client’s spelling of the correlation id’s name, once', () => {
    const accepted = ['BT-Trace-Id', 'c', 'svc-trace-id', 'd'];
    expect(sentHeaders(accepted, unchanged, seen)).to.deep.equal([
      ...['BT-Trace-Id', 'c', 'CDN-Loop', 'glovebox'],
    ]);
  });

  it('hold no alias where those are turned off', () => {
    const accepted = ['BT-Trace-Id', 'd'];
    expect(sentHeaders(accepted, unchanged, { correlationId: 'c', aliases: false })).to.deep.equal([
      ...['SVC-TRACE-ID', 'c', 'CDN-Loop', 'glovebox'],
    ]);
  });

  it('hold no trace context of the client’s', () => {
    expect(sentHeaders(['Traceparent', '00-a-b-01'], unchanged, seen)).to.deep.equal([
      ...['SVC-TRACE-ID', 'c', 'CDN-Loop', 'glovebox'],
    ]);
  });

  it('announce the body that is sent', () => {
    const accepted = ['Content-Encoding', 'gzip', 'Content-Type', 'application/json'];
    expect(sentHeaders(accepted, { contentLength: '7', decoded: true }, seen)).to.deep.equal([
      ...[
        'Content-Type',
        'application/json',
        'SVC-TRACE-ID',
        'c',
        'CDN-Loop',
        'glovebox',
        'Content-Length',
        '7',
      ],
    ]);
    expect(sentHeaders(accepted, unchanged, seen)).to.include('gzip');
  });

  it('mark what passes through, and refuse what has passed too often', () => {
    const passed = (value: string) => sentHeaders(['cdn-loop', value], unchanged, seen).at(-1);
    expect(passed('other; a=b')).to.equal('other; a=b, glovebox');
    expect(passed('glovebox, other, glovebox')).to.equal('glovebox, other, glovebox, glovebox');
    expect(() => passed('glovebox,glovebox , glovebox')).to.throw(
      'The destination leads back to this service.',
    );
  });
});
