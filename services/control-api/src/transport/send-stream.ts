import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { AppError } from '@glovebox/platform/errors/app-error';
import type { Request, Response } from 'express';

import type { Reply } from '../http/call.ts';

/**
 * Writes a body as fast as the client reads it. What fails before its first part is answered as an error; later, the
 * connection is cut. A client that goes away ends the work.
 * @throws AppError
 */
export async function sendStream(
  request: Request,
  response: Response,
  { type, chunks, onGone }: NonNullable<Reply['stream']>,
): Promise<void> {
  if (onGone !== undefined) response.once('close', onGone);
  const first = await chunks.next();
  response.setHeader('Content-Type', type);
  // Proxies that gather answers would hold back events.
  if (type === 'text/event-stream') response.setHeader('X-Accel-Buffering', 'no');
  if (request.method === 'HEAD') {
    await chunks.return(undefined);
    response.end();
    return;
  }
  const whole = async function* () {
    if (first.done !== true) yield first.value;
    yield* chunks;
  };
  try {
    await pipeline(Readable.from(whole(), { highWaterMark: 1 }), response);
  } catch (cause) {
    if (response.destroyed && !response.writableFinished && isGone(cause)) {
      throw new AppError('cancelled', 'The request was cancelled.', { cause });
    }
    throw cause;
  }
}

function isGone(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
