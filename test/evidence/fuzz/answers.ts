import type { AnswerHead } from '@glovebox/egress/http1/answer-head';
import { AnswerReader } from '@glovebox/egress/http1/answer-reader';
import { type AnswerFault, BrokenAnswer } from '@glovebox/egress/http1/broken-answer';
import { expect } from 'chai';
import fc from 'fast-check';

import { editedAnswer } from '../../harness/hostile/fuzzed.ts';
import { Llhttp, type Parsed } from './llhttp.ts';
import { type Target, target } from './target.ts';

/** All text is Latin-1: one character is one byte. */
interface Received {
  readonly text: string;
  /** Where it is parted, as shares of its length. */
  readonly cuts: readonly number[];
  /** In answer to HEAD. */
  readonly isHead: boolean;
}

type Read = Parsed & { readonly fault?: AnswerFault };

/** What our client makes of it. */
export function readAnswer(parts: readonly Buffer[], isHead: boolean, ends: boolean): Read {
  let head: AnswerHead | undefined;
  let body = '';
  let left = 0;
  const reader = new AnswerReader({
    onInterim: () => undefined,
    onHead: (one) => ((head = one), true),
    onData: (data) => ((body += data.toString('latin1')), true),
  });
  reader.begin(isHead);
  const read = (outcome: Parsed['outcome'], fault?: AnswerFault): Read => ({
    outcome,
    ...(head === undefined ? {} : { status: head.status, phrase: head.phrase }),
    headers: head?.headers ?? [],
    body,
    trailers: reader.trailers,
    left,
    staysOpen: head?.staysOpen === true,
    ...(fault === undefined ? {} : { fault }),
  });
  try {
    for (const part of parts) left += part.length - (reader.isOver ? 0 : reader.read(part));
    if (reader.isOver) return read('whole');
    if (!ends || !reader.end()) return read('cut');
    return { ...read('whole'), staysOpen: false };
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error;
    return read('broken', error.fault);
  }
}

const llhttp = new Llhttp();

/** Where our client refuses what llhttp takes (ADR 74): the fault that it names, and what has to be in the text then. */
const stricter: Readonly<Partial<Record<AnswerFault, RegExp>>> = {
  // Another version, or line feeds before it.
  'not-http': /HTTP\/(?:0\.9|2\.0) |(?:^|\n)\n/,
  // Below 100, or the switch to another protocol, where llhttp reads on.
  status: / (?:101|0\d\d)[ \r]/,
  'line-end': /\r(?!\n)|(?<!\r)\n/,
  // 2^53 or more.
  length: /\d{16}/,
  // Other than chunked, of HTTP/1.0, or in trailers.
  framing: /transfer-encoding|\n0+(?:;[^\n]*)?\r\n(?:.*\n)*content-length/i,
  // An extension without a name or a value; a size of more digits than one below 2^52 has.
  chunk: /\n[0-9a-f]+;|\n[0-9a-f]{14}/i,
};

export function compareAnswer({ text, cuts, isHead }: Received): void {
  const bytes = Buffer.from(text, 'latin1');
  const places = [...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort((a, b) => a - b);
  const parts = places.map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
  for (const ends of [false, true]) {
    const ours = readAnswer([bytes], isHead, ends);
    expect(readAnswer(parts, isHead, ends), 'in parts').to.deep.equal(ours);
    const theirs = llhttp.parse(bytes, isHead, ends);
    expectAgreement(text, ours, theirs);
    // After HEAD our client closes the connection anyway.
    if (ours.outcome === 'whole' && ours.staysOpen && !isHead)
      expect(theirs.staysOpen, 'keeps the connection').to.equal(true);
  }
}

function expectAgreement(text: string, ours: Read, theirs: Parsed): void {
  if (ours.fault !== undefined) {
    if (theirs.outcome === 'whole')
      expect(text, `refuses for ${ours.fault}`).to.match(stricter[ours.fault] ?? /^$/);
    return;
  }
  if (ours.outcome === 'cut') {
    // A line that llhttp ends earlier: ours is refused as soon as the head is complete.
    if (theirs.outcome === 'whole') expect(text, 'waits').to.match(stricter['line-end'] as RegExp);
    return;
  }
  const { staysOpen: _ours, ...own } = ours;
  const { staysOpen: _theirs, ...other } = theirs;
  expect(own).to.deep.equal(other);
}

const statusLine = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 404 N\u00e3o',
      'HTTP/1.0 200 OK',
      'HTTP/1.1 502',
      'HTTP/1.1 500 ',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('HTTP/1.1 204 None', 'HTTP/1.1 304 Same', 'HTTP/1.1 205 Reset') },
  fc.constantFrom(
    'HTTP/2.0 200 OK',
    'HTTP/0.9 200 OK',
    'HTTP/1.1 101 Switch',
    'HTTP/1.1 099 Low',
    'HTTP/1.1  200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1 200\tOK',
    'HTTP/1.1 2000 OK',
  ),
);
const spelled = (name: string) => fc.constantFrom(name, name.toLowerCase(), name.toUpperCase());
const goodField = fc.oneof(
  fc.tuple(spelled('Content-Length'), fc.constantFrom('3', '5', '7')),
  fc.tuple(spelled('Transfer-Encoding'), fc.constantFrom('chunked', 'Chunked')),
  fc.tuple(spelled('Connection'), fc.constantFrom('close', 'keep-alive')),
  fc.tuple(fc.constantFrom('X', 'Set-Cookie', 'Keep-Alive'), fc.constantFrom('v', '', 'timeout=5')),
);
const oddField = fc.oneof(
  fc.tuple(
    spelled('Content-Length'),
    fc.constantFrom(
      '0',
      '3',
      '5',
      '7',
      '007',
      '7 ',
      '\t7',
      '+7',
      '-1',
      '7,7',
      '7, 7',
      '',
      '0x7',
      '7.0',
      '9007199254740993',
      '18446744073709551617',
    ),
  ),
  fc.tuple(
    spelled('Transfer-Encoding'),
    fc.constantFrom(
      'chunked',
      'Chunked',
      'chunked ',
      '\tchunked',
      'gzip',
      'identity',
      'gzip, chunked',
      'chunked, gzip',
      'chunked,chunked',
      '',
      'xchunked',
      'chunkedx',
      'chunked;a=b',
    ),
  ),
  fc.tuple(
    spelled('Connection'),
    fc.constantFrom(
      'close',
      'keep-alive',
      'Close',
      'close, keep-alive',
      'x, close',
      'upgrade',
      'closed',
      'keep-alive,',
      '',
      ' close ',
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'X',
      'x-y',
      'Set-Cookie',
      'X ',
      ' X',
      'X\t',
      'X\u0000',
      '',
      'Upgrade',
      'Keep-Alive',
      'Content-Length\u000b',
      '\u00ff',
      'Trailer',
    ),
    fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        'v',
        'a b\t',
        '\u00ff\u0080',
        'a\u0000b',
        'a\u007fb',
        'timeout=5',
        'a\rb',
        'a\nb',
        'h2c',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 5 }),
    ),
  ),
);
const lineEnd = fc.oneof(
  { weight: 80, arbitrary: fc.constant('\r\n') },
  fc.constantFrom('\n', '\r', '\r\r\n', '\r\n ', '\n\r'),
);
const fieldLine = fc
  .tuple(
    fc.oneof({ weight: 12, arbitrary: goodField }, oddField),
    fc.oneof({ weight: 40, arbitrary: fc.constantFrom(':', ': ') }, fc.constantFrom(':\t', ' : ', ' ')),
    lineEnd,
  )
  .map(([[name, value], colon, end]) => name + colon + value + end);
const chunk = fc
  .tuple(
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom('0', '3', '5', '03', 'a') },
      fc.constantFrom(
        '',
        '-1',
        'g',
        '0x1',
        ' 3',
        '3 ',
        'ffffffffffffffff',
        '10000000000000',
        '00000000000000001',
      ),
    ),
    fc.oneof(
      { weight: 12, arbitrary: fc.constant('') },
      fc.constantFrom(
        ';a',
        ';a=b',
        ';a="b"',
        ';a="\\""',
        ';',
        ';=',
        ';a=',
        ' ;a',
        '; a',
        ';a=b;c',
        ';a ="b"',
        ';a="b',
        ';a="b"c',
        ';\u00ff',
        ';a=\u0000',
        ';a="\u00ff"',
        ';a="\\\u00ff"',
        ';a=""',
        ';a;b',
        ';a=b"',
        '\t',
      ),
    ),
    lineEnd,
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom('', 'abc', 'abcde', '0123456789') },
      fc.string({ unit: 'binary-ascii', maxLength: 6 }),
    ),
    lineEnd,
  )
  .map(([size, extension, end, data, close]) => size + extension + end + data + close);
const body = fc.oneof(
  fc.constantFrom(
    '',
    'abc',
    'abcde',
    'abcdefg',
    'abcdefgh',
    '0\r\n\r\n',
    '3\r\nabc\r\n0\r\n\r\n',
    '3\r\nabc\r\n0\r\nX: v\r\n\r\n',
  ),
  fc.array(chunk, { maxLength: 4 }).map((chunks) => chunks.join('')),
  fc
    .tuple(fc.array(chunk, { maxLength: 2 }), fc.array(fieldLine, { maxLength: 2 }), lineEnd)
    .map(([chunks, trailers, end]) => `${chunks.join('')}0\r\n${trailers.join('')}${end}`),
);
const before = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 \r\nContent-Length: 3\r\nLink: a\r\n\r\n',
    'HTTP/1.1 199 x\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.0 100\r\nConnection: close\r\n\r\n',
  ),
);
const composed = fc
  .tuple(
    before,
    statusLine,
    lineEnd,
    fc.array(fieldLine, { maxLength: 4 }),
    lineEnd,
    body,
    fc.constantFrom('', '', '', 'x', '\r\n', 'HTTP/1.1 200 OK\r\n\r\n'),
  )
  .map(
    ([first, line, end, fields, last, content, more]) =>
      first + line + end + fields.join('') + last + content + more,
  );

const received: fc.Arbitrary<Received> = fc.record({
  text: fc.oneof(editedAnswer, composed),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  isHead: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
});

export const answers: readonly Target[] = [
  target(
    'answers of destinations against llhttp',
    'our client reads the same as llhttp, wherever the bytes are parted, or refuses with one of the faults of ADR 74',
    1500,
    received,
    compareAnswer,
  ),
];
