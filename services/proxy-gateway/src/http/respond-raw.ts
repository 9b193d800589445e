import { ownHeaders } from './answer-headers.ts';
import type { Exchange } from './exchange.ts';

/** A response that is somebody else's. */
export interface RawResponse {
  readonly status: number;
  /** Flat list of names and values, without those that announce the body. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Answers with a whole response, announced by the length that it has. */
export function respondRaw(exchange: Exchange, { status, headers, body }: RawResponse): void {
  const length = status === 204 ? [] : ['Content-Length', String(body.length)];
  exchange.response.writeHead(status, [...headers, ...ownHeaders(exchange, headers), ...length]);
  exchange.response.end(body);
}
