import { AppError } from '@glovebox/platform/errors/app-error';

import { readBody } from './body/read-body.ts';
import { withoutMark } from './body/without-mark.ts';
import type { Exchange } from './exchange.ts';
import { noteUnknownProperties } from './unknown-names.ts';

/** With the type that clients name who are told none, such as curl. */
const jsonOrFormType = /^application\/(json|x-www-form-urlencoded|[a-z0-9!#$&^_.+-]+\+json)\s*(;|$)/i;
const jsonType = /^application\/(json|[a-z0-9!#$&^_.+-]+\+json)\s*(;|$)/i;
const mergePatchType = /^application\/merge-patch\+json\s*(;|$)/i;

/**
 * The bytes of a JSON body; whoever they are sent to reads them. A request that names no type is taken at its word.
 * @throws AppError `unsupported_media_type`, `too_large`, or `invalid_argument` when the client breaks off.
 */
export function readJsonBytes(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  return readOfType(exchange, maxBytes, jsonType);
}

/** The same, also for a body that calls itself a form (contract/reactors.md#arguments). */
export function readBytesAsJson(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  return readOfType(exchange, maxBytes, jsonOrFormType);
}

/** The bytes of a merge patch (RFC 7396), which calls itself that (contract/tokens.md#merge-patch). */
export async function readMergePatch(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  if (mergePatchType.test(exchange.headers.contentType?.trim() ?? '')) {
    return readOfType(exchange, maxBytes, mergePatchType);
  }
  exchange.response.setHeader('Accept-Patch', 'application/merge-patch+json');
  throw new AppError('unsupported_media_type', 'The Content-Type must be application/merge-patch+json.');
}

async function readOfType(exchange: Exchange, maxBytes: number, type: RegExp): Promise<Buffer> {
  const { contentType, contentEncoding } = exchange.headers;
  if (contentType !== undefined && !type.test(contentType.trim())) {
    throw new AppError('unsupported_media_type', 'The Content-Type must be application/json.');
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'A Content-Encoding is not supported here.');
  }
  const before = exchange.stages.enter('receive');
  const body = withoutMark(await readBody(exchange, maxBytes));
  exchange.stages.enter(before);
  noteUnknownProperties(exchange, body);
  return body;
}
