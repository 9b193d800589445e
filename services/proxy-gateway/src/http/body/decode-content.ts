import { AppError } from '@glovebox/platform/errors/app-error';

import { type HeldBytes, type Holder, freeBytes } from './body-memory.ts';
import { codingOf } from './content-codings.ts';

export interface DecodingLimits {
  /** Of what comes out. */
  readonly maxBytes: number;
  /** How many times as many bytes may come out as went in; `freeBytes` may in any case. */
  readonly maxRatio: number;
}

/**
 * Undoes a Content-Encoding (RFC 9110 section 8.4), so that expressions inside can be found. A few bytes can stand for
 * any number of them: it goes on step by step, counts each, and stops at the first limit.
 * @throws AppError `unsupported_media_type` for codings that are not known, or more than one; `invalid_argument` for
 * broken content; `too_large` beyond a limit; `rate_limited` or `unavailable` when too much is held of bodies already
 */
export async function decodeContent(
  bytes: Buffer,
  contentEncoding: string,
  { maxBytes, maxRatio }: DecodingLimits,
  holder: Holder & { readonly held: HeldBytes },
): Promise<Buffer> {
  const coding = codingOf(contentEncoding);
  if (coding === undefined) {
    throw new AppError('unsupported_media_type', 'The Content-Encoding of the request is not supported.');
  }
  const decoder = coding.decoder();
  decoder.end(bytes);
  const most = Math.max(freeBytes, bytes.length * maxRatio);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(`hold at most ${maxBytes} bytes`);
      if (size > most) throw tooLarge(`become at most ${maxRatio} times as large when that is undone`);
      holder.held.grow(holder, size - chunk.length, size);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid_argument', 'The body does not fit its Content-Encoding.', { cause });
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(what: string): AppError {
  return new AppError('too_large', `A body with Content-Encoding may ${what}.`);
}
