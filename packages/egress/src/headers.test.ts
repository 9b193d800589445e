import { expect } from 'chai';
import fc from 'fast-check';

import { acceptedHeaders, outboundHeaders, responseHeaders } from './headers.ts';

/** A raw header list from one text of `Name: value` pairs, separated by `|`. */
function list(text: string): string[] {
  return text.split(' | ').flatMap((line) => line.split(': '));
}

const hopByHop = [
  'Connection: keep-alive | Keep-Alive: timeout=5 | Proxy-Connection: close | TE: trailers | Trailer: Expires',
  'Proxy-Authenticate: Basic | Proxy-Authorization: Basic x | Proxy-Authentication-Info: x',
  'Transfer-Encoding: chunked | Upgrade: websocket | HTTP2-Settings: AAMA',
].flatMap(list);
const serviceNames = [
  'SVC-API-KEY: key_x | BT-API-KEY: key_x | svc-proxy-key: x | Bt-Proxy-Key: x | SVC-PROXY-URL: x',
  'BT-CLIENT-USER-AGENT: {} | SVC-IDEMPOTENCY-KEY: x | svc-: x | BT-: x | SVC-TRACE-ID-2: x',
].flatMap(list);
const plain = [
  'Authorization: Bearer x | content-type: application/json | X_Custom-1: a | X-Custom: b | x-custom: c',
  'Accept: */* | User-Agent: test | traceparent: 00-1-2-01 | Cookie: a=1 | Sec-Fetch-Mode: cors',
  'SVCX: x | BTX-1: x | B: x | S: x | S-V-C: x | Proxy-Reference: x | TEx: x | Hosts: x',
].flatMap(list);
const longName = 'X-'.padEnd(400, 'a');

describe('acceptedHeaders', () => {
  it('keeps end-to-end headers with their spelling, order and duplicates', () => {
    expect(acceptedHeaders([...plain, longName, 'x'])).to.deep.equal([...plain, longName, 'x']);
    expect(acceptedHeaders(list('connectioN: close | A: 1 | a: 2 | A: 1'))).to.deep.equal(
      list('A: 1 | a: 2 | A: 1'),
    );
  });

  it('discards names with any other character than letters, digits, hyphen and underscore', () => {
    for (const name of [
      'X.Y',
      'X:Y',
      'X Y',
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
    ]) {
      expect(acceptedHeaders([name, 'x', 'Kept', 'y']), name).to.deep.equal(['Kept', 'y']);
    }
  });

  it('leaves out hop-by-hop headers, Host, Content-Length and Expect in any case', () => {
    for (const headers of [hopByHop, list('Host: x | Content-Length: 3 | Expect: 100-continue')]) {
      expect(acceptedHeaders(headers)).to.deep.equal([]);
      expect(acceptedHeaders(headers.map((text) => text.toUpperCase()))).to.deep.equal([]);
      expect(acceptedHeaders(headers.map((text) => text.toLowerCase()))).to.deep.equal([]);
    }
  });

  it('leaves out every header that Connection lists, wherever it is', () => {
    const before = list('X-One: 1 | Connection: close, X-One ,\tx-TWO,, | X-Two: 2');
    const after = list('x-three: 3 | connection: X-THREE | X-Four: 4');
    expect(acceptedHeaders([...before, ...after])).to.deep.equal(['X-Four', '4']);
  });

  it("leaves out the service's own names except the trace id", () => {
    const trace = list('SVC-TRACE-ID: t1 | bt-trace-id: t2');
    expect(acceptedHeaders([...serviceNames, ...trace])).to.deep.equal(trace);
  });

  it('lets a trace id be listed by Connection like any other header', () => {
    expect(acceptedHeaders(list('SVC-TRACE-ID: x | Connection: svc-trace-id'))).to.deep.equal([]);
  });

  it('returns a new list and leaves its argument alone', () => {
    const headers = Object.freeze(['A', '1']);
    expect(acceptedHeaders(headers)).to.not.equal(headers);
    expect(acceptedHeaders(headers)).to.deep.equal(headers);
  });
});

describe('outboundHeaders', () => {
  it('lets a transform add any name', () => {
    expect(outboundHeaders(list('X.Custom: a | X!: b'))).to.deep.equal(list('X.Custom: a | X!: b'));
  });

  it('lets no transform add hop-by-hop, framing or service headers', () => {
    const framing = list('Host: evil.example | content-length: 1 | Expect: x');
    expect(outboundHeaders([...hopByHop, ...serviceNames, ...framing, 'OK', '1'])).to.deep.equal(['OK', '1']);
  });

  it('has nothing to add to what acceptedHeaders lets through', () => {
    const known = fc.constantFrom(...hopByHop, ...serviceNames, ...plain);
    const name = fc.oneof(known, fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
        const accepted = acceptedHeaders(pairs.flat());
        expect(outboundHeaders(accepted)).to.deep.equal(accepted);
      }),
    );
  });
});

describe('responseHeaders', () => {
  it('keeps the raw response: spelling, order, duplicates, unrestricted names, Content-Length', () => {
    const cookies = list('Set-Cookie: a=1 | set-cookie: b=2 | Set-Cookie: a=1');
    const headers = [...cookies, ...list('content-length: 3 | X.Odd~Name: x | Host: h')];
    expect(responseHeaders(headers)).to.deep.equal(headers);
  });

  it('leaves out hop-by-hop headers and those that Connection lists', () => {
    const listed = list('Connection: X-Private | x-private: 1 | Via: p');
    expect(responseHeaders([...hopByHop, ...listed])).to.deep.equal(['Via', 'p']);
  });

  it("lets no destination speak in the service's name, not even with a trace id", () => {
    const forged = list(
      'SVC-PROXY-DESTINATION-STATUS: 200 | bt-trace-id: x | svc-trace-id: x | BT-ANYTHING: x',
    );
    expect(responseHeaders([...forged, ...serviceNames, 'X', '1'])).to.deep.equal(['X', '1']);
  });

  it('reads bytes as Latin-1, so that every byte reaches the client as it was', () => {
    const bytes = Buffer.from([0x61, 0xe9, 0xff, 0x80]);
    const names = ['X-Odd', 'CONNECTION', 'X-Gone'].map((name) => Buffer.from(name));
    const values = [bytes, Buffer.from('x-gone'), bytes];
    const kept = responseHeaders(names.flatMap((name, index) => [name, values[index] ?? '']));
    expect(kept[0]).to.equal('X-Odd');
    expect(Buffer.from(kept[1] ?? '', 'latin1')).to.deep.equal(bytes);
    expect(kept).to.have.lengthOf(2);
  });
});

describe('header lists', () => {
  it('come out as an ordered part of what came in, whatever that is', () => {
    const known = fc.constantFrom('Connection', 'TE', 'X', 'svc-api-key', 'Host');
    const name = fc.oneof(known, fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))), (pairs) => {
        for (const filter of [acceptedHeaders, outboundHeaders, responseHeaders]) {
          const kept = filter(pairs.flat());
          const rest = pairs[Symbol.iterator]();
          for (let index = 0; index < kept.length; index += 2) {
            const found = rest.some(([n, v]) => n === kept[index] && v === kept[index + 1]);
            expect(found).to.equal(true);
          }
        }
      }),
    );
  });
});
