import { AppError } from '@glovebox/platform/errors/app-error';

/** What user code asks for through `bt`: an HTTP request without a connection. */
export interface BtRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface BtResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const lineFeed = 0x0a;
const maxHeadBytes = 16 * 1024;

/** Parses what an isolate sent. The text is untrusted: code may have broken out. @throws AppError `invalid_argument` */
export function readBtRequest(text: Buffer): BtRequest {
  const end = text.indexOf(lineFeed);
  if (end < 0 || end > maxHeadBytes) throw malformed();
  const head = parseHead(text.toString('utf8', 0, end));
  const { method, path, query, headers } = head;
  if (typeof method !== 'string' || typeof path !== 'string') throw malformed();
  if (typeof query !== 'string') throw malformed();
  if (typeof headers !== 'object' || headers === null) throw malformed();
  const entries = Object.entries(headers).map(([name, value]: [string, unknown]): [string, string] => {
    if (typeof value !== 'string') throw malformed();
    return [name.toLowerCase(), value];
  });
  return { method, path, query, headers: new Map(entries), body: text.subarray(end + 1) };
}

export function writeBtResponse({ status, headers, body }: BtResponse): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ status, headers })}\n`), body]);
}

function parseHead(text: string): { readonly [member in keyof BtRequest]?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw malformed();
  }
}

function malformed(): AppError {
  return new AppError('invalid_argument', 'The call by bt is malformed.');
}
