/** How a request ended: with the destination's whole answer, with an error of ours, or cut off after the answer's head. */
export type Ending = 'raw' | 'error' | 'cut';

/** What a destination does with one request. All text is Latin-1: one character is one byte. */
export interface HostileCase {
  readonly name: string;
  /** One after the other, apart by a moment. */
  readonly pieces: readonly string[];
  /** What becomes of the connection then. */
  readonly afterwards: 'keep' | 'end' | 'reset';
  /** How the request may end. */
  readonly endings: readonly Ending[];
  /** Of an answer that is passed on; undefined where that is not known. */
  readonly answer?: Answer | undefined;
}

export interface Answer {
  readonly status: number;
  /** Undefined: any. */
  readonly phrase?: string | undefined;
  readonly body: string;
}

/** An answer that is right. */
export interface Right extends Required<Answer> {
  readonly name: string;
  readonly text: string;
  readonly afterwards: 'keep' | 'end';
}

const json = 'Content-Type: application/json\r\n';
const [small, parted] = ['{"n":1}', '{"list":[1,2,3]}'];
const whole = (head: string, body: string) =>
  `${head}\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`;
const of = (status: number, phrase: string, body: string) => ({ status, phrase, body });

/** Answers that are right, in every form that HTTP/1.1 has for them. */
export const rightAnswers: readonly Right[] = [
  {
    name: 'with a length',
    text: whole('HTTP/1.1 200 OK', small),
    afterwards: 'keep',
    ...of(200, 'OK', small),
  },
  {
    name: 'in chunks, with extensions and trailers',
    text:
      `HTTP/1.1 200 Fine\r\n${json}Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n` +
      `5;a=b;c="d;e"\r\n${parted.slice(0, 5)}\r\nb\r\n${parted.slice(5)}\r\n0;last\r\nX-Sum: 1\r\n\r\n`,
    afterwards: 'keep',
    ...of(200, 'Fine', parted),
  },
  {
    name: 'until the end of the connection',
    text: `HTTP/1.1 200 OK\r\n${json}Connection: close\r\n\r\n${parted}`,
    afterwards: 'end',
    ...of(200, 'OK', parted),
  },
  {
    name: 'of HTTP/1.0',
    text: `HTTP/1.0 200 OK\r\n${json}\r\n${small}`,
    afterwards: 'end',
    ...of(200, 'OK', small),
  },
  {
    name: 'without content',
    text: 'HTTP/1.1 204 No Content\r\nX-Any.Name: v\r\n\r\n',
    afterwards: 'keep',
    ...of(204, 'No Content', ''),
  },
  {
    name: 'not modified',
    text: 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
    afterwards: 'keep',
    ...of(304, 'Not Modified', ''),
  },
  {
    name: 'after 100 (Continue) and early hints',
    text: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole('HTTP/1.1 201 Made', small)}`,
    afterwards: 'keep',
    ...of(201, 'Made', small),
  },
  {
    name: 'in another language',
    text: whole('HTTP/1.1 404 N\u00e3o encontrado', small),
    afterwards: 'keep',
    ...of(404, 'N\u00e3o encontrado', small),
  },
  {
    name: 'without a phrase',
    text: whole('HTTP/1.1 502', '<raw>'),
    afterwards: 'keep',
    ...of(502, '', '<raw>'),
  },
  {
    name: 'with repeated headers, empty ones and spaces',
    text: whole(
      'HTTP/1.1 500 Oh no\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Empty:\r\nX-Wide: \t v \t',
      small,
    ),
    afterwards: 'keep',
    ...of(500, 'Oh no', small),
  },
];

/** Each of them, sent in two pieces. */
export function splits(): HostileCase[] {
  return rightAnswers.flatMap((right) =>
    Array.from(right.text.slice(1), (_, before) => ({
      name: `${right.name}, split at ${before + 1}`,
      pieces: [right.text.slice(0, before + 1), right.text.slice(before + 1)],
      afterwards: right.afterwards,
      endings: ['raw'] as const,
      answer: right,
    })),
  );
}

/** Each of them, broken off by one of the two ways to close a connection. */
export function truncations(): HostileCase[] {
  return rightAnswers
    .filter(({ afterwards }) => afterwards === 'keep')
    .flatMap((right) => {
      const headEnds = right.text.lastIndexOf('\r\n\r\n', right.text.length - right.body.length - 1) + 4;
      return Array.from(right.text, (_, at): HostileCase => {
        const isHeadSent = right.name.includes('chunks')
          ? at > right.text.indexOf('\r\n\r\n')
          : at >= headEnds;
        return {
          name: `${right.name}, broken off at ${at}`,
          pieces: at === 0 ? [] : [right.text.slice(0, at)],
          afterwards: at % 2 === 0 ? 'end' : 'reset',
          endings: isHeadSent ? ['cut', 'error'] : ['error'],
        };
      });
    });
}
