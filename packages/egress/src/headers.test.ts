import { expect } from 'chai';
import fc from 'fast-check';

import { acceptedHeaders, outboundHeaders, responseHeaders } from './headers.ts';

const hopByHop = [
  ...['Connection', 'keep-alive', 'Keep-Alive', 'timeout=5', 'Proxy-Connection', 'close', 'TE', 'trailers'],
  ...['Proxy-Authenticate', 'Basic', 'Proxy-Authorization', 'Basic x', 'Proxy-Authentication-Info', 'x'],
  ...['Trailer', 'Expires', 'Transfer-Encoding', 'chunked', 'Upgrade', 'websocket', 'HTTP2-Settings', 'AAMA'],
];
const serviceNames = [
  ...[
    'SVC-API-KEY',
    'key_x',
    'BT-API-KEY',
    'key_x',
    'svc-proxy-key',
    'x',
    'Bt-Proxy-Key',
    'x',
    'SVC-PROXY-URL',
    'x',
  ],
  ...[
    'BT-CLIENT-USER-AGENT',
    '{}',
    'SVC-IDEMPOTENCY-KEY',
    'x',
    'svc-',
    'x',
    'BT-',
    'x',
    'SVC-TRACE-ID-2',
    'x',
  ],
];
const plain = [
  ...[
    'Authorization',
    'Bearer x',
    'content-type',
    'application/json',
    'X_Custom-1',
    'a',
    'X-Custom',
    'b',
    'x-custom',
    'c',
  ],
  ...[
    'Accept',
    '*/*',
    'User-Agent',
    'test',
    'traceparent',
    '00-1-2-01',
    'Cookie',
    'a=1',
    'Sec-Fetch-Mode',
    'cors',
  ],
  ...[
    'SVCX',
    'x',
    'BTX-1',
    'x',
    'B',
    'x',
    'S',
    'x',
    'S-V-C',
    'x',
    'Proxy-Reference',
    'x',
    'TEx',
    'x',
    'Hosts',
    'x',
  ],
];
const longName = 'X-'.padEnd(400, 'a');

describe('acceptedHeaders', () => {
  it('keeps end-to-end headers with their spelling, order and duplicates', () => {
    expect(acceptedHeaders([...plain, longName, 'x'])).to.deep.equal([...plain, longName, 'x']);
    expect(acceptedHeaders(['connectioN', 'close', 'A', '1', 'a', '2', 'A', '3'])).to.deep.equal([
      'A',
      '1',
      'a',
      '2',
      'A',
      '3',
    ]);
  });

  it('discards names with any other character than letters, digits, hyphen and underscore', () => {
    const names = [
      'X.Custom',
      'X:Custom',
      'X Custom',
      'X!',
      'X~',
      '',
      'X\u00e9',
      'X\u0141',
      'X/Y',
      '{X}',
      "X'",
      'X+1',
      '*',
    ];
    for (const name of names)
      expect(acceptedHeaders([name, 'x', 'Kept', 'y']), name).to.deep.equal(['Kept', 'y']);
  });

  it('leaves out hop-by-hop headers, Host, Content-Length and Expect in any case', () => {
    const framing = ['Host', 'x', 'Content-Length', '3', 'Expect', '100-continue'];
    for (const raw of [hopByHop, framing]) {
      expect(acceptedHeaders(raw)).to.deep.equal([]);
      expect(acceptedHeaders(raw.map((text) => text.toUpperCase()))).to.deep.equal([]);
      expect(acceptedHeaders(raw.map((text) => text.toLowerCase()))).to.deep.equal([]);
    }
  });

  it('leaves out every header that Connection lists, wherever it stands', () => {
    const raw = [
      'X-One',
      '1',
      'Connection',
      'close, X-One ,\tx-TWO,,',
      'X-Two',
      '2',
      'x-three',
      '3',
      'connection',
      'X-THREE',
      'X-Four',
      '4',
    ];
    expect(acceptedHeaders(raw)).to.deep.equal(['X-Four', '4']);
  });

  it("leaves out the service's own names except the trace id", () => {
    expect(acceptedHeaders([...serviceNames, 'SVC-TRACE-ID', 't1', 'bt-trace-id', 't2'])).to.deep.equal([
      ...['SVC-TRACE-ID', 't1', 'bt-trace-id', 't2'],
    ]);
  });

  it('lets a trace id be listed by Connection like any other header', () => {
    expect(acceptedHeaders(['SVC-TRACE-ID', 'x', 'Connection', 'svc-trace-id'])).to.deep.equal([]);
  });

  it('returns a new list and leaves its argument alone', () => {
    const raw = Object.freeze(['A', '1']);
    expect(acceptedHeaders(raw)).to.not.equal(raw);
    expect(acceptedHeaders(raw)).to.deep.equal(raw);
  });
});

describe('outboundHeaders', () => {
  it('lets a transform add any name', () => {
    expect(outboundHeaders(['X.Custom', 'a', 'X!', 'b'])).to.deep.equal(['X.Custom', 'a', 'X!', 'b']);
  });

  it('lets no transform add hop-by-hop, framing or service headers', () => {
    const raw = [
      ...hopByHop,
      ...serviceNames,
      'Host',
      'evil.example',
      'content-length',
      '1',
      'Expect',
      'x',
      'OK',
      '1',
    ];
    expect(outboundHeaders(raw)).to.deep.equal(['OK', '1']);
  });

  it('has nothing to add to what acceptedHeaders lets through', () => {
    const anyName = fc.oneof(
      fc.constantFrom(...[...hopByHop, ...serviceNames, ...plain]),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(anyName, fc.string())), (pairs) => {
        const accepted = acceptedHeaders(pairs.flat());
        expect(outboundHeaders(accepted)).to.deep.equal(accepted);
      }),
    );
  });
});

describe('responseHeaders', () => {
  it('keeps the raw response: spelling, order, duplicates, unrestricted names, Content-Length', () => {
    const raw = [
      'Set-Cookie',
      'a=1',
      'content-length',
      '3',
      'set-cookie',
      'b=2',
      'X.Odd~Name',
      'x',
      'Set-Cookie',
      'a=1',
      'Host',
      'h',
    ];
    expect(responseHeaders(raw)).to.deep.equal(raw);
  });

  it('leaves out hop-by-hop headers and those that Connection lists', () => {
    expect(
      responseHeaders([...hopByHop, 'Connection', 'X-Private', 'x-private', '1', 'Via', 'p']),
    ).to.deep.equal(['Via', 'p']);
  });

  it("lets no destination speak in the service's name, not even with a trace id", () => {
    const forged = [
      'SVC-PROXY-DESTINATION-STATUS',
      '200',
      'bt-trace-id',
      'x',
      'svc-trace-id',
      'x',
      'BT-ANYTHING',
      'x',
    ];
    expect(responseHeaders([...forged, ...serviceNames, 'X', '1'])).to.deep.equal(['X', '1']);
  });

  it('reads bytes as Latin-1, so that every byte reaches the client as it was', () => {
    const bytes = Buffer.from([0x61, 0xe9, 0xff, 0x80]);
    const raw = [
      Buffer.from('X-Odd'),
      bytes,
      Buffer.from('CONNECTION'),
      Buffer.from('x-gone'),
      Buffer.from('X-Gone'),
      bytes,
    ];
    const [name, value, ...rest] = responseHeaders(raw);
    expect([name, Buffer.from(value ?? '', 'latin1'), rest]).to.deep.equal(['X-Odd', bytes, []]);
  });
});

describe('header lists', () => {
  it('come out as an ordered part of what came in, whatever that is', () => {
    const name = fc.oneof(
      fc.constantFrom('Connection', 'TE', 'X', 'svc-api-key', 'Host'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))), (pairs) => {
        for (const filter of [acceptedHeaders, outboundHeaders, responseHeaders]) {
          const kept = filter(pairs.flat());
          const rest = pairs[Symbol.iterator]();
          for (let index = 0; index < kept.length; index += 2) {
            expect(rest.some(([n, v]) => n === kept[index] && v === kept[index + 1])).to.equal(true);
          }
        }
      }),
    );
  });
});
