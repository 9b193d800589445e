import type { IncomingMessage } from 'node:http';

import { AppError } from '@glovebox/platform/errors/app-error';

import type { HeldBytes, Holder } from './body-memory.ts';

/** Whose body is read, and the limit of all bodies together. */
export interface Receiving extends Holder {
  readonly request: IncomingMessage;
  readonly held: HeldBytes;
}

/** A body until it ended or grew past the limit. */
export interface PartialBody {
  readonly chunks: Buffer[];
  /** False: the request is paused, and the rest still in it. */
  readonly complete: boolean;
}

/**
 * Reads a body up to a limit.
 * @throws AppError `invalid_argument` when the client breaks off, `rate_limited` or `unavailable` when too much is held
 * of bodies already.
 */
export function readUpTo(exchange: Receiving, maxBytes: number): Promise<PartialBody> {
  const { request, held } = exchange;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (complete: boolean) => {
      settled = true;
      resolve({ chunks, complete });
    };
    const leave = () => {
      request.pause();
      request.off('data', onData);
      request.off('end', onEnd);
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      try {
        held.grow(exchange, size - chunk.length, size);
      } catch (error) {
        settled = true;
        leave();
        return reject(error as AppError);
      }
      if (size <= maxBytes) return;
      leave();
      settle(false);
    };
    const onEnd = () => settle(true);
    // Without a listener for it there is no error event, and 'close' comes all the same.
    const onClose = () => {
      if (settled) return;
      reject(new AppError('invalid_argument', 'The request body ended before it was complete.'));
    };
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
  });
}

/**
 * Reads a whole body.
 * @throws AppError `too_large` beyond the limit.
 */
export async function readBody(exchange: Receiving, maxBytes: number): Promise<Buffer> {
  const { chunks, complete } = await readUpTo(exchange, maxBytes);
  if (!complete) throw new AppError('too_large', `The request body is larger than ${maxBytes} bytes.`);
  return joined(chunks);
}

/** Without a copy when it is one chunk. */
export function joined(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** The text behind a byte order mark, which .NET and some browsers write and JSON may go without (RFC 8259, 8.1). */
export function withoutMark(text: Buffer): Buffer {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}
