import { AppError } from '@glovebox/platform/errors/app-error';

import { readBody, withoutMark } from './body/read-body.ts';
import type { Exchange } from './exchange.ts';
import { warnOfUnknownProperties } from './unknown-names.ts';

/** Also the type that curl sends unless it is given another. */
const jsonOrFormType = /^application\/(json|x-www-form-urlencoded|[a-z0-9!#$&^_.+-]+\+json)\s*(;|$)/i;
const jsonType = /^application\/(json|[a-z0-9!#$&^_.+-]+\+json)\s*(;|$)/i;
const mergePatchType = /^application\/merge-patch\+json\s*(;|$)/i;

/**
 * The bytes of a JSON body, not parsed: the vault or the runner does that. A request need not name the type.
 * @throws AppError `unsupported_media_type`, `too_large`, or `invalid_argument` when the client breaks off.
 */
export function readJsonBody(exchange: Exchange, maxBytes: number): Promise<Buffer> {
  return readOfType(exchange, maxBytes, jsonType);
}

/** The same, also for a body that calls itself a form (contract/reactors.md#arguments). */
export function readJsonOrFormBody(exchange: Exchange, maxBytes: number): Promise<Buffer> {
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
  warnOfUnknownProperties(exchange, body);
  return body;
}
