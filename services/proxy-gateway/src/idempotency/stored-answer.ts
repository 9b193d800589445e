import { withoutHeaders } from '@glovebox/egress/header-list';

import type { RawResponse } from '../http/exchange.ts';

/** Of one exchange only, or made anew for the body. */
const notStored: ReadonlySet<string> = new Set([
  'svc-trace-id',
  'bt-trace-id',
  'server-timing',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

/** Status and headers as one line of JSON, then the body. */
export function encodeAnswer({ status, headers, body }: RawResponse): Buffer {
  const head = JSON.stringify({ status, headers: withoutHeaders(headers, notStored) });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

export function decodeAnswer(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\n');
  const head: Omit<RawResponse, 'body'> = JSON.parse(bytes.toString('utf8', 0, end));
  return { ...head, body: bytes.subarray(end + 1) };
}
