import { AppError } from '@glovebox/platform/errors';

import type { Exchange } from '../http/exchange.ts';
import { readBody } from './read-body.ts';

const jsonType = /^application\/(json|[a-z0-9!#$&^_.+-]+\+json)\s*(;|$)/i;

/**
 * The bytes of a JSON body; the vault reads them. A request that names no type is taken at its word.
 * @throws AppError `unsupported_media_type`, `too_large`, or `invalid_argument` when the client breaks off.
 */
export async function readJsonBytes(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  const { contentType, contentEncoding } = exchange.headers;
  if (contentType !== undefined && !jsonType.test(contentType.trim())) {
    throw new AppError('unsupported_media_type', 'The Content-Type must be application/json.');
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'A Content-Encoding is not supported here.');
  }
  return readBody(exchange.request, maxBytes);
}
