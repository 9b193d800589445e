/** Why a sub path or query cannot be appended to a destination; a 400 for the caller. */
export type JoinRefusal = 'relative' | 'double-slash' | 'backslash' | 'dot-segment' | 'character';

/** Where to send: `origin` and `path` (with query) are what undici's `dispatch` takes. */
export type JoinedDestination =
  | { readonly ok: true; readonly origin: string; readonly path: string }
  | { readonly ok: false; readonly reason: JoinRefusal };

/** Anything that cannot be in a request target: controls, space, DEL, `#`, and characters of more than one byte. */
const refusedInQuery = /[^\x21\x22\x24-\x7e\x80-\xff]/;

/** As in the query, and `?`, which would start one. */
const refusedInPath = /[^\x21\x22\x24-\x3e\x40-\x7e\x80-\xff]/;

/**
 * A segment that is `..` in any spelling, for a destination that also takes an encoded slash or backslash as a
 * separator. Two dots followed by something that is no name character count as well: servers exist that cut
 * `..;x` or `..%00` back to `..`. `...` and `..name` are names and pass.
 */
const dotSegment = /(?:\/|%2f|%5c)(?:\.|%2e){2}(?![A-Za-z0-9._~-])/i;

function refuseSubPath(subPath: string): JoinRefusal | undefined {
  if (!subPath.startsWith('/')) return 'relative';
  if (subPath.startsWith('//')) return 'double-slash';
  if (subPath.includes('\\')) return 'backslash';
  if (refusedInPath.test(subPath)) return 'character';
  return dotSegment.test(subPath) ? 'dot-segment' : undefined;
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === 0x2f) end -= 1;
  return path.slice(0, end);
}

/** The parts of a destination that a request is joined to. */
export interface DestinationBase {
  readonly origin: string;
  /** Without trailing slashes: empty for the root. */
  readonly path: string;
  /** With its question mark; empty for none. */
  readonly search: string;
}

/** Takes a destination apart, once for any number of requests. @param url one that `parseDestination` accepted. */
export function destinationBase(url: URL | string): DestinationBase {
  const { origin, pathname, search } = typeof url === 'string' ? new URL(url) : url;
  return { origin, path: withoutTrailingSlashes(pathname), search };
}

/**
 * Appends what a caller put after `/proxy` to a proxy's destination (contract/proxies.md#url: trailing slashes of the
 * destination removed, a lone `/` is no sub path, queries joined with `&`).
 *
 * The result never leaves the destination's origin and path; sub path and query are otherwise kept byte for byte,
 * encoding and order included.
 *
 * @param base the destination that `parseDestination` accepted, or its parts.
 * @param subPath raw request-target text after `/proxy`: empty, or starting with a slash.
 * @param query raw query, with or without its `?`; empty for none. The proxy key has been taken out by the caller.
 */
export function joinDestination(
  base: DestinationBase | URL | string,
  subPath: string,
  query: string,
): JoinedDestination {
  const parts = typeof base === 'string' || base instanceof URL ? destinationBase(base) : base;
  const { origin, search } = parts;
  const suffix = subPath === '/' ? '' : subPath;
  const reason = suffix === '' ? undefined : refuseSubPath(suffix);
  if (reason !== undefined) return { ok: false, reason };
  const added = query.startsWith('?') ? query.slice(1) : query;
  if (refusedInQuery.test(added)) return { ok: false, reason: 'character' };

  const path = parts.path + suffix || '/';
  if (added === '') return { ok: true, origin, path: path + search };
  return { ok: true, origin, path: `${path}${search === '' ? '?' : `${search}&`}${added}` };
}
