import { AppError } from '@glovebox/platform/errors/app-error';

/** What user code asks for through `bt`: an HTTP request in everything but the connection. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const lineFeed = 0x0a;
const maxHeadBytes = 16 * 1024;

/** Reads what an isolate wrote, or whoever broke out of it. @throws AppError `invalid_argument` */
export function readAsk(text: Buffer): Ask {
  const end = text.indexOf(lineFeed);
  if (end < 0 || end > maxHeadBytes) throw malformed();
  const { method, path, query, headers } = (parse(text.toString('utf8', 0, end)) ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof method !== 'string' || typeof path !== 'string') throw malformed();
  if (typeof query !== 'string') throw malformed();
  if (typeof headers !== 'object' || headers === null) throw malformed();
  const entries = Object.entries(headers).map(([name, value]: [string, unknown]): [string, string] => {
    if (typeof value !== 'string') throw malformed();
    return [name.toLowerCase(), value];
  });
  return { method, path, query, headers: new Map(entries), body: text.subarray(end + 1) };
}

export function writeAnswer({ status, headers, body }: Answer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ status, headers })}\n`), body]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function malformed(): AppError {
  return new AppError('invalid_argument', 'The call by bt is malformed.');
}
