import { expect } from 'chai';
import fc from 'fast-check';

import { HTTPParser } from './http-parser.ts';

type Event = readonly unknown[];

/** What the parser says of bytes that come in pieces of this size. @param answer to a head: 1 no body, 2 an upgrade. */
function read(text: string, size = Math.max(1, text.length), answer = 0): Event[] {
  const events: Event[] = [];
  let body = '';
  const note = (...event: unknown[]) => {
    if (body !== '') events.push(['body', body]);
    body = '';
    if (event.length > 0) events.push(event);
  };
  const parser = new HTTPParser() as HTTPParser & Record<number, unknown>;
  parser.initialize(HTTPParser.RESPONSE, {});
  parser[HTTPParser.kOnHeaders] = (trailers: string[]) => note('trailers', ...trailers);
  parser[HTTPParser.kOnHeadersComplete] = (...head: unknown[]) => {
    const [major, minor, headers, , , status, message, upgrade, persistent] = head;
    note(`${String(major)}.${String(minor)}`, status, message, ...(headers as string[]), upgrade, persistent);
    return (status as number) >= 100 && (status as number) < 200 && status !== 101 ? 1 : answer;
  };
  parser[HTTPParser.kOnBody] = (piece: Uint8Array) => (body += Buffer.from(piece).toString('latin1'));
  parser[HTTPParser.kOnMessageComplete] = () => note('complete');
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    const taken = parser.execute(piece);
    if (taken instanceof Error) return note('error', (taken as { code?: string }).code) ?? events;
    if (taken < piece.length) return note('left', bytes.toString('latin1', at + taken)) ?? events;
  }
  const end = parser.finish();
  note(...(end === undefined ? [] : ['error', (end as { code?: string }).code]));
  return events;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const chunkedHead = ['1.1', 200, 'OK', 'Transfer-Encoding', 'chunked', false, true];
const hi = ['1.1', 200, 'OK', 'Content-Length', '2', false, true];

/** As Node.js 16.20.2's own parser reads them. */
const table: Record<string, readonly [text: string, events: readonly Event[], answer?: number]> = {
  'a body of known length': [`${ok}Content-Length: 2\r\n\r\nhi`, [hi, ['body', 'hi'], ['complete']]],
  'one response after the other': [
    `${ok}Content-Length: 2\r\n\r\nhi${ok}Content-Length: 2\r\n\r\nhi`,
    [hi, ['body', 'hi'], ['complete'], hi, ['body', 'hi'], ['complete']],
  ],
  'a body to the end of the connection': [
    `HTTP/1.0 200\r\nA: b\r\n\r\nhello`,
    [['1.0', 200, '', 'A', 'b', false, false], ['body', 'hello'], ['complete']],
  ],
  'chunks with extensions and trailers': [
    `${chunked}5;a=b\r\nhello\r\n1 \r\n!\r\n0\r\nX-T: v\r\nY:z\r\n\r\n`,
    [chunkedHead, ['body', 'hello!'], ['trailers', 'X-T', 'v', 'Y', 'z'], ['complete']],
  ],
  'a response to HEAD': [`${ok}Content-Length: 2\r\n\r\n`, [hi, ['complete']], 1],
  'a response after 100 Continue': [
    `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\nhi`,
    [['1.1', 100, 'Continue', false, true], ['complete'], hi, ['body', 'hi'], ['complete']],
  ],
  'no further than an upgrade': [
    'HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw bytes',
    [
      ['1.1', 101, 'Go', 'Connection', 'Upgrade', 'Upgrade', 'x', true, true],
      ['complete'],
      ['left', 'raw bytes'],
    ],
    2,
  ],
  'nothing behind the last response': [
    `${ok}Connection: Close\r\nContent-Length: 2\r\n\r\nhimore`,
    [
      ['1.1', 200, 'OK', 'Connection', 'Close', 'Content-Length', '2', false, false],
      ['body', 'hi'],
      ['complete'],
    ],
  ],
  'folded and Latin-1 values': [
    `${ok}A: one\r\n two \r\nB:\t\xe9\t\r\nContent-Length: 0\r\n\r\n`,
    [['1.1', 200, 'OK', 'A', 'one two', 'B', '\xe9', 'Content-Length', '0', false, true], ['complete']],
  ],
};

const refused: Record<string, readonly [text: string, code: string]> = {
  'another protocol': ['SSH-2.0-x\r\n', 'HPE_INVALID_CONSTANT'],
  'a version that is none': ['HTTP/1.7 200 OK\r\n\r\n', 'HPE_INVALID_VERSION'],
  'a status that is none': ['HTTP/1.1 abc OK\r\n\r\n', 'HPE_INVALID_STATUS'],
  'lines that end otherwise': ['HTTP/1.1 200 OK\nA: b\n\n', 'HPE_INVALID_HEADER_TOKEN'],
  'a header without a colon': [`${ok}Ab\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
  'control characters in a value': [`${ok}A: \0\r\n\r\n`, 'HPE_INVALID_HEADER_TOKEN'],
  'two lengths': [`${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 'HPE_UNEXPECTED_CONTENT_LENGTH'],
  'a length and chunks': [
    `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    'HPE_UNEXPECTED_CONTENT_LENGTH',
  ],
  'a length that is no number': [`${ok}Content-Length: 1x\r\n\r\n`, 'HPE_INVALID_CONTENT_LENGTH'],
  'a length beyond all numbers': [
    `${ok}Content-Length: ${'9'.repeat(30)}\r\n\r\n`,
    'HPE_INVALID_CONTENT_LENGTH',
  ],
  'a head that is too large': [`${ok}A: ${'a'.repeat(17_000)}\r\n\r\n`, 'HPE_HEADER_OVERFLOW'],
  'a head without an end': [`${ok}A: ${'a'.repeat(40_000)}`, 'HPE_HEADER_OVERFLOW'],
  'trailers without an end': [`${chunked}0\r\nA: ${'a'.repeat(40_000)}`, 'HPE_HEADER_OVERFLOW'],
  'a chunk of no size': [`${chunked}x\r\n`, 'HPE_INVALID_CHUNK_SIZE'],
  'a chunk beyond all numbers': [`${chunked}${'f'.repeat(20)}\r\n`, 'HPE_INVALID_CHUNK_SIZE'],
  'more than a chunk holds': [`${chunked}1\r\nab\r\n`, 'HPE_INVALID_CHUNK_SIZE'],
  'an end in the middle': [`${ok}Content-Length: 9\r\n\r\nhalf`, 'HPE_INVALID_EOF_STATE'],
};

describe('the parser of HTTP responses', () => {
  for (const [name, [text, events, answer]] of Object.entries(table)) {
    it(`reads ${name}, whole or byte by byte`, () => {
      expect(read(text, text.length, answer)).to.deep.equal(events);
      const bytewise = read(text, 1, answer).filter(([kind]) => kind !== 'left');
      expect(bytewise).to.deep.equal(events.filter(([kind]) => kind !== 'left'));
    });
  }

  for (const [name, [text, code]] of Object.entries(refused)) {
    it(`refuses ${name}, whole or in pieces`, () => {
      for (const size of [text.length, 7]) expect(read(text, size).at(-1)).to.deep.equal(['error', code]);
    });
  }

  it('reads the same however the bytes are cut', () => {
    const texts = [...Object.values(table), ...Object.values(refused)]
      .map(([text]) => text)
      .filter((text) => text.length < 1000);
    const parts = fc.array(
      fc.oneof(fc.constantFrom(...texts, '\r\n', '0', ': '), fc.string({ maxLength: 5 })),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 20 }), (some, size) => {
        const text = some.join('');
        // Of two faults, the one that is seen first may be another.
        const inPieces = read(text, size).map(([kind, ...more]) =>
          kind === 'error' ? [kind] : [kind, ...more],
        );
        const whole = read(text).map(([kind, ...more]) => (kind === 'error' ? [kind] : [kind, ...more]));
        expect(inPieces).to.deep.equal(whole);
      }),
    );
  });
});
