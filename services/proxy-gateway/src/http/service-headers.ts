import { commonSpellings } from '@glovebox/egress/header-names';
import { AppError } from '@glovebox/platform/errors';

/** What the gateway itself reads of a request's headers. Absent ones are undefined. */
export interface ServiceHeaders {
  apiKey: string | undefined;
  proxyKey: string | undefined;
  traceId: string | undefined;
  traceparent: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  contentLength: string | undefined;
  transferEncoding: string | undefined;
}

export const noServiceHeaders = (): ServiceHeaders => ({
  apiKey: undefined,
  proxyKey: undefined,
  traceId: undefined,
  traceparent: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  contentLength: undefined,
  transferEncoding: undefined,
});

/** `SVC-` is the contract's own prefix, `BT-` the one that existing clients send (api-facts section 1.1). */
const fieldByName: ReadonlyMap<string, keyof ServiceHeaders> = new Map([
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

/** The same under the spellings that most clients use, which then need not be changed to lower case. */
const fields: ReadonlyMap<string, keyof ServiceHeaders> = new Map(
  [...fieldByName].flatMap(([name, field]) => commonSpellings(name).map((spelling) => [spelling, field])),
);

const shortest = 'bt-api-key'.length;
const longest = 'transfer-encoding'.length;

/**
 * Reads the headers in one pass. A header that names a credential or describes the body and stands there twice with
 * different values is refused: two parties could each believe another one.
 * @throws AppError `invalid_argument`.
 */
export function readServiceHeaders(rawHeaders: readonly string[]): ServiceHeaders {
  const found = noServiceHeaders();
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
