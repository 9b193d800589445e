import type { IncomingMessage } from 'node:http';

import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';

import { countPassedChunk } from '../../http/body/body-memory.ts';
import { decodeContent } from '../../http/body/decode-content.ts';
import { type Receiving, joined, readUpTo, withoutMark } from '../../http/body/read-body.ts';
import type { Exchange } from '../../http/exchange.ts';
import { watchForExpressions } from './watch-for-expressions.ts';

/**
 * A request's body on its way to the destination.
 *
 * - `empty`: there is none
 * - `whole`: read, to be searched for expressions, JSON without a byte order mark; `sent` is what came, and `decoded`
 *   says whether that is content-encoded
 * - `stream`: passed on as it arrives. Either no expression can be in it (a binary type), or it is too large to be
 *   read whole: it is then watched, and the request is broken off when an expression shows up
 */
export type InboundBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'whole'; readonly text: Buffer; readonly sent: Buffer; readonly decoded: boolean }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<Buffer> };

export async function receiveBody(
  exchange: Receiving & Pick<Exchange, 'headers' | 'bounds'>,
  grammar: BodyGrammar,
  maxBytes: number,
): Promise<InboundBody> {
  const { request, headers, bounds } = exchange;
  const length = headers.contentLength === undefined ? undefined : Number(headers.contentLength);
  if (length === 0 || (length === undefined && headers.transferEncoding === undefined))
    return { kind: 'empty' };
  if (grammar.kind === 'none') return { kind: 'stream', stream: chunksOf(request) };
  const encoded =
    headers.contentEncoding !== undefined && headers.contentEncoding.toLowerCase() !== 'identity';
  if (length !== undefined && length > maxBytes && !encoded) {
    return { kind: 'stream', stream: watchForExpressions(grammar, [], chunksOf(request)) };
  }
  const { chunks, complete } = await readUpTo(exchange, maxBytes);
  if (complete) {
    const bytes = joined(chunks);
    const limits = { maxBytes, maxRatio: bounds.decodedRatio };
    const text = encoded
      ? await decodeContent(bytes, headers.contentEncoding as string, limits, exchange)
      : bytes;
    return {
      kind: 'whole',
      text: grammar.kind === 'json' ? withoutMark(text) : text,
      sent: bytes,
      decoded: encoded,
    };
  }
  if (encoded) {
    throw new AppError('too_large', `A body with Content-Encoding may hold at most ${maxBytes} bytes.`);
  }
  return { kind: 'stream', stream: watchForExpressions(grammar, chunks, chunksOf(request)) };
}

/**
 * The chunks of a body. The request outlives the iteration: a destination that answers early must not take the
 * connection from a client that is still sending.
 */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    countPassedChunk(chunk.length);
    yield chunk;
  }
}
