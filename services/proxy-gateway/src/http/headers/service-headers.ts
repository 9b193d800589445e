import { commonSpellings } from '@glovebox/egress/header-names';
import { AppError } from '@glovebox/platform/errors/app-error';

/** What the gateway itself reads of a request's headers. Absent ones are undefined. */
export interface ServiceHeaders {
  apiKey: string | undefined;
  proxyKey: string | undefined;
  proxyUrl: string | undefined;
  proxyConnection: string | undefined;
  encrypted: string | undefined;
  traceId: string | undefined;
  idempotencyKey: string | undefined;
  strict: string | undefined;
  dryRun: string | undefined;
  traceparent: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  contentLength: string | undefined;
  transferEncoding: string | undefined;
  /** Of the page in a browser that sends the request. */
  origin: string | undefined;
  /** What a browser says of a request (Fetch Metadata); a page cannot set it. */
  fetchMode: string | undefined;
  serviceWorker: string | undefined;
}

export const noServiceHeaders = (): ServiceHeaders => ({
  apiKey: undefined,
  proxyKey: undefined,
  proxyUrl: undefined,
  proxyConnection: undefined,
  encrypted: undefined,
  traceId: undefined,
  idempotencyKey: undefined,
  strict: undefined,
  dryRun: undefined,
  traceparent: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  contentLength: undefined,
  transferEncoding: undefined,
  origin: undefined,
  fetchMode: undefined,
  serviceWorker: undefined,
});

/** Of the service itself, by their names without prefix. */
const ownFields: readonly (readonly [name: string, field: keyof ServiceHeaders])[] = [
  ['api-key', 'apiKey'],
  ['proxy-key', 'proxyKey'],
  ['proxy-url', 'proxyUrl'],
  ['proxy-connection', 'proxyConnection'],
  ['encrypted', 'encrypted'],
  ['trace-id', 'traceId'],
  ['idempotency-key', 'idempotencyKey'],
  ['strict', 'strict'],
  ['dry-run', 'dryRun'],
];

const standardFields: readonly (readonly [name: string, field: keyof ServiceHeaders])[] = [
  ['traceparent', 'traceparent'],
  ['content-type', 'contentType'],
  ['content-encoding', 'contentEncoding'],
  ['content-length', 'contentLength'],
  ['transfer-encoding', 'transferEncoding'],
  ['sec-fetch-mode', 'fetchMode'],
  ['service-worker', 'serviceWorker'],
];

/** Of two of them the first counts: they are neither a credential nor about the body. */
const firstCounts: ReadonlySet<keyof ServiceHeaders> = new Set(['fetchMode', 'serviceWorker']);

/** Also under the spellings that most clients use, which then need not be changed to lower case. */
function fieldsOf(prefixes: readonly string[]): ReadonlyMap<string, keyof ServiceHeaders> {
  const own = prefixes.flatMap((prefix) =>
    ownFields.map(([name, field]) => [`${prefix}-${name}`, field] as const),
  );
  return new Map(
    [...own, ...standardFields].flatMap(([name, field]) =>
      commonSpellings(name).map((spelling) => [spelling, field] as const),
    ),
  );
}

/** `SVC-` is the contract's own prefix, `BT-` the one that existing clients send (contract/conventions.md#headers). */
const fields = { withAliases: fieldsOf(['svc', 'bt']), withoutAliases: fieldsOf(['svc']) };

const lengths = [...fields.withAliases.keys()].map((name) => name.length);
const shortest = Math.min(...lengths);
const longest = Math.max(...lengths);

/**
 * Reads the headers in one pass. A header that names a credential or describes the body is refused if it was sent twice
 * with different values: two parties could each believe another one. Of two correlation ids, which
 * a client and a proxy in front of the service may each set, the one under the contract's own name counts.
 * @param aliases the names that start with `BT-` count too
 * @throws AppError `invalid_argument`.
 */
export function readServiceHeaders(rawHeaders: readonly string[], aliases: boolean): ServiceHeaders {
  const found = noServiceHeaders();
  const known = aliases ? fields.withAliases : fields.withoutAliases;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name === 'Origin' || name === 'origin') found.origin = rawHeaders[at + 1];
    if (name.length < shortest || name.length > longest) continue;
    const field = known.get(name) ?? known.get(name.toLowerCase());
    if (field === undefined) continue;
    const value = rawHeaders[at + 1]!;
    if (found[field] !== undefined && found[field] !== value) {
      if (firstCounts.has(field)) continue;
      if (field !== 'traceId')
        throw new AppError('invalid_argument', `The header ${name} was sent twice with different values.`);
      if (!/^svc/i.test(name)) continue;
    }
    found[field] = value;
  }
  return found;
}
