import { AppError } from '@glovebox/platform/errors';

/** What the gateway itself reads of a request's headers. Absent ones are undefined. */
export interface ServiceHeaders {
  apiKey?: string;
  proxyKey?: string;
  traceId?: string;
  traceparent?: string;
  contentType?: string;
  contentEncoding?: string;
  contentLength?: string;
  transferEncoding?: string;
}

/** `SVC-` is the contract's own prefix, `BT-` the one that existing clients send (api-facts section 1.1). */
const fields: ReadonlyMap<string, keyof ServiceHeaders> = new Map([
  ['svc-api-key', 'apiKey'],
  ['bt-api-key', 'apiKey'],
  ['svc-proxy-key', 'proxyKey'],
  ['bt-proxy-key', 'proxyKey'],
  ['svc-trace-id', 'traceId'],
  ['bt-trace-id', 'traceId'],
  ['traceparent', 'traceparent'],
  ['content-type', 'contentType'],
  ['content-encoding', 'contentEncoding'],
  ['content-length', 'contentLength'],
  ['transfer-encoding', 'transferEncoding'],
]);

const shortest = 'bt-api-key'.length;
const longest = 'transfer-encoding'.length;

/**
 * Reads the headers in one pass. A header that names a credential or describes the body and stands there twice with
 * different values is refused: two parties could each believe another one.
 * @throws AppError `invalid_argument`.
 */
export function readServiceHeaders(rawHeaders: readonly string[]): ServiceHeaders {
  const found: ServiceHeaders = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length < shortest || name.length > longest) continue;
    const field = fields.get(name) ?? fields.get(name.toLowerCase());
    if (field === undefined) continue;
    const value = rawHeaders[at + 1] as string;
    if (found[field] !== undefined && found[field] !== value) {
      throw new AppError('invalid_argument', `The header ${name} was sent twice with different values.`);
    }
    found[field] = value;
  }
  return found;
}
