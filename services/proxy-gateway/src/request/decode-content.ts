import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

import { AppError } from '@glovebox/platform/errors';

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

const isKnown = (coding: string): coding is keyof typeof decoders => Object.hasOwn(decoders, coding);

/**
 * Undoes a Content-Encoding (RFC 9110 section 8.4), so that expressions inside can be found.
 * @throws AppError `unsupported_media_type` for codings that are not known, or more than one; `invalid_argument` for
 * broken content; `too_large` when more than `maxBytes` come out.
 */
export async function decodeContent(
  bytes: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Promise<Buffer> {
  const coding = contentEncoding.trim().toLowerCase();
  if (!isKnown(coding)) {
    throw new AppError('unsupported_media_type', 'The Content-Encoding of the request is not supported.');
  }
  try {
    return await decoders[coding](bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new AppError('too_large', `A body with Content-Encoding may hold at most ${maxBytes} bytes.`, {
        cause,
      });
    }
    throw new AppError('invalid_argument', 'The body does not fit its Content-Encoding.', { cause });
  }
}
