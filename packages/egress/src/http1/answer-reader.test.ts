import { expect } from 'chai';

import type { AnswerHead } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';
import { BrokenAnswer } from './broken-answer.ts';

/** What a reader made of text in Latin-1. */
interface Read {
  readonly head: Pick<AnswerHead, 'status' | 'phrase' | 'headers'> | undefined;
  readonly body: string;
  readonly trailers: readonly string[];
  readonly isOver: boolean;
  /** Behind the answer. */
  readonly left: string;
}

function read(pieces: readonly string[], isBodiless = false): Read {
  let head: AnswerHead | undefined;
  let body = '';
  let left = '';
  const reader = new AnswerReader({
    onInterim: () => undefined,
    onHead: (one) => ((head = one), true),
    onData: (data) => ((body += data.toString('latin1')), true),
  });
  reader.begin(isBodiless);
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1');
    left += bytes.toString('latin1', reader.isOver ? 0 : reader.read(bytes));
  }
  const { trailers, isOver } = reader;
  const seen = head && { status: head.status, phrase: head.phrase, headers: head.headers };
  return { head: seen, body, trailers, isOver, left };
}

function faultOf(pieces: readonly string[]): string {
  try {
    return read(pieces).isOver ? 'whole' : 'waits';
  } catch (error) {
    if (error instanceof BrokenAnswer) return error.fault;
    throw error;
  }
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;

describe('an answer', () => {
  const whole: Readonly<Record<string, readonly [text: string, read: Partial<Read>]>> = {
    'with a length': [`${ok}Content-Length: 5\r\n\r\nabcde`, { body: 'abcde' }],
    'in chunks': [
      `${chunked}3;a=b;c="d;\\""\r\nabc\r\n02\r\nde\r\n0;x\r\nX-Sum: 1\r\n\r\n`,
      { body: 'abcde', trailers: ['X-Sum', '1'] },
    ],
    'without content': ['HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nabcde', { body: '', left: 'abcde' }],
    'after interim answers and empty lines': [
      `\r\n\r\nHTTP/1.1 103 \r\nLink: a\r\n\r\nHTTP/1.0 100\r\nContent-Length: 9\r\n\r\n${ok}Content-Length: 1\r\n\r\na`,
      { body: 'a' },
    ],
    'with another one behind it': [`${ok}Content-Length: 1\r\n\r\na${ok}`, { body: 'a', left: ok }],
  };
  for (const [what, [text, expected]] of Object.entries(whole)) {
    it(`${what} is the same wherever its bytes are parted`, () => {
      const once = read([text]);
      expect(once).to.include({ isOver: true });
      expect(once).to.deep.include(expected);
      expect(read([...text])).to.deep.equal(once);
      for (let first = 0; first <= text.length; first += 1) {
        for (let second = first; second <= text.length; second += 1) {
          const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
          expect(read(pieces), `${first}, ${second}`).to.deep.equal(once);
        }
      }
    });
  }

  it('has its headers as they came, without the spaces around values', () => {
    const { head } = read([
      `HTTP/1.1 404 N\u00e3o\r\nX-a:\r\nSet-Cookie: \t a b \t\r\nset-cookie:\u00ff\r\n\r\n`,
    ]);
    expect(head).to.deep.equal({
      status: 404,
      phrase: 'N\u00e3o',
      headers: ['X-a', '', 'Set-Cookie', 'a b', 'set-cookie', '\u00ff'],
    });
  });

  it('to HEAD has no body, whatever it says', () => {
    expect(read([`${ok}Content-Length: 5\r\n\r\n`], true)).to.include({ isOver: true, body: '' });
    expect(read([chunked], true)).to.include({ isOver: true, body: '' });
  });

  it('that neither has a length nor is chunked lasts as long as the connection', () => {
    expect(read([`${ok}\r\nab`, 'cd'])).to.include({ isOver: false, body: 'abcd' });
  });

  const length = (value: string) => `${ok}Content-Length: ${value}\r\n\r\nabcdefgh`;
  const encoding = (value: string) => `${ok}Transfer-Encoding: ${value}\r\n\r\n0\r\n\r\n`;
  const faults: Readonly<Record<string, readonly string[]>> = {
    'not-http': [
      'SSH-2',
      'H2',
      '\n',
      ' HTTP/1.1',
      'http/1.1 200 OK\r\n\r\n',
      'HTTP/2.0 200 OK\r\n\r\n',
      'HTTP/1.2 2',
    ],
    status: [
      ...['20 OK', '2000 OK', '2x0 OK', '099 Low', '101 Switching Protocols', ' 200 OK', '', '200\tOK'].map(
        (line) => `HTTP/1.1 ${line}\r\n\r\n`,
      ),
    ],
    'line-end': [
      ...['HTTP/1.1 200 OK\nX: y\r\n\r\n', 'HTTP/1.1 200\r\r\n\r\n', 'HTTP/1.1 200 O\rK\r\n\r\n', '\rH'],
      ...[
        `${ok}X: y\nZ: z\r\n\r\n`,
        `${ok}X: y\rZ: z\r\n\r\n`,
        `${chunked}1\na\r\n0\r\n\r\n`,
        `${chunked}0\r\nX: y\n\r\n`,
      ],
    ],
    field: [
      ...[
        ' X: y',
        'X : y',
        ': y',
        'X',
        'X\u0000: y',
        'X: a\u0000',
        'X: a\u007f',
        '\u00ff: y',
        'X: a\r\n b',
      ].map((line) => `${ok}${line}\r\n\r\n`),
      `${chunked}0\r\nX\r\n\r\n`,
    ],
    'too-large': [
      ...[`HTTP/1.1 200 ${'p'.repeat(8200)}`, `HTTP/1.1 200 ${'p'.repeat(8200)}\r\n\r\n`],
      ...[
        `${ok}X: ${'v'.repeat(16_400)}\r\n\r\n`,
        `${ok}X: ${'v'.repeat(50_000)}`,
        ok + 'X:\r\n'.repeat(50_000),
      ],
      ...[`${ok}${'X:y\r\n'.repeat(2001)}\r\n`, `${chunked}0\r\n${'X: v\r\n'.repeat(9000)}\r\n`],
      ...[`${chunked}1;${'e'.repeat(17_000)}`, `${chunked}${`1;${'e'.repeat(900)}\r\na\r\n`.repeat(20)}`],
    ],
    interim: [
      'HTTP/1.1 100 \r\n\r\n'.repeat(101),
      `HTTP/1.1 103 \r\nX: ${'v'.repeat(4000)}\r\n\r\n`.repeat(20),
    ],
    length: [
      ...['-1', '+7', '7.0', '0x7', '', '7, 7', '7 7', '9007199254740992', '1'.repeat(17), '\u0667'].map(
        length,
      ),
      `${ok}Content-Length: 7\r\ncontent-length: 7\r\n\r\n`,
    ],
    framing: [
      ...['gzip', 'identity', 'gzip, chunked', 'chunked, gzip', 'chunked,chunked', '', 'chunked;a=b'].map(
        encoding,
      ),
      `${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `${ok}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`,
      `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      `${chunked}0\r\nContent-Length: 1\r\n\r\n`,
      `${chunked}0\r\ntransfer-encoding: gzip\r\n\r\n`,
    ],
    chunk: [
      ...[
        '',
        '-1',
        '0x1',
        'g',
        ' 1',
        '1 ',
        '1;',
        '1;=',
        '1;a=',
        '1; a',
        '1;a="b',
        '1;a=b"',
        '1'.repeat(14),
      ].map((line) => `${chunked}${line}\r\na\r\n0\r\n\r\n`),
      ...['1\r\nab\r\n', '1\r\na\n', '1\r\naXY', '1\r\na\rX\n'].map((rest) => chunked + rest),
    ],
  };
  for (const [fault, texts] of Object.entries(faults)) {
    for (const text of texts) {
      it(`is refused for ${fault}: ${JSON.stringify(text.slice(0, 70))}`, () => {
        expect(faultOf([text])).to.equal(fault);
        expect(faultOf([...text])).to.equal(fault);
      });
    }
  }
});

describe('a reader whose sink stops', () => {
  it('goes on where it was, and ends no answer before that', () => {
    const text = `${chunked}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`;
    const said: string[] = [];
    const reader = new AnswerReader({
      onInterim: () => undefined,
      onHead: ({ status }) => said.push(String(status)) === 0,
      onData: (data) => said.push(data.toString()) === 0,
    });
    reader.begin(false);
    let rest = Buffer.from(text);
    for (const expected of [['200'], ['200', 'abc'], ['200', 'abc', 'de']]) {
      rest = rest.subarray(reader.read(rest));
      expect(said).to.deep.equal(expected);
      expect(reader.isOver).to.equal(false);
    }
    expect(reader.read(rest)).to.equal(rest.length);
    expect(reader.isOver).to.equal(true);
  });
});
