import { errors } from 'undici';

import type { BodyParts } from './body-parts.ts';
import type { DispatchedRequest } from './dispatched-request.ts';

/** What a request's body is written to. */
export interface PartWriter {
  /** Whether more of the request's body may be written. */
  carries(request: DispatchedRequest): boolean;
  /** One part, in one system call. @returns whether the next may follow at once */
  writePart(before: string, part: Uint8Array, after: string): boolean;
  /** All of the body was written; `last` ends it. */
  endParts(last: string): void;
  /** Until more can be written, or nothing more has to be. */
  untilDrained(): Promise<void>;
}

/**
 * Writes a request whose body comes in parts: with its length if that was announced, and never more or less than it;
 * otherwise in chunks. Stops when the request is over.
 */
export async function sendParts(
  writer: PartWriter,
  request: DispatchedRequest,
  parts: BodyParts,
): Promise<void> {
  const { head, length } = request.outgoing;
  const isChunked = length === undefined;
  let before = isChunked
    ? `${head}transfer-encoding: chunked\r\n\r\n`
    : `${head}content-length: ${length}\r\n\r\n`;
  let part: Uint8Array | undefined = parts.first;
  let sent = 0;
  try {
    while (part !== undefined) {
      sent += part.length;
      if (!isChunked && sent > length) throw new errors.RequestContentLengthMismatchError();
      const isReady = isChunked
        ? writer.writePart(`${before}${part.length.toString(16)}\r\n`, part, '\r\n')
        : writer.writePart(before, part, '');
      before = '';
      if (!isReady) await writer.untilDrained();
      if (!writer.carries(request)) return;
      part = await parts.next();
      if (!writer.carries(request)) return;
    }
    if (!isChunked && sent < length) throw new errors.RequestContentLengthMismatchError();
    writer.endParts(isChunked ? '0\r\n\r\n' : '');
  } catch (error) {
    request.fail(error instanceof Error ? error : new Error('a body failed', { cause: error }));
  }
}
