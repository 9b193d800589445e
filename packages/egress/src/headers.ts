import { type HeaderKind, isAcceptedName, kindOfHeader } from './header-names.ts';
import { isOwnCookie, withoutOwnCookies } from './own-cookies.ts';

/** A header list as it was on the wire: name, value, name, value, …; spelling, order and duplicates are kept. */
export type RawHeaders = readonly string[];

/** The same as undici gives it for a response (`controller.rawHeaders`). */
export type RawResponseHeaders = readonly (string | Buffer)[];

/** Adds the names in a Connection header's value, in lower case, to those that travel no further (RFC 9110, 7.6.1). */
function addListed(listed: Set<string> | undefined, value: string): Set<string> | undefined {
  if (value.length === 10 && value.toLowerCase() === 'keep-alive') return listed;
  if (value.length === 5 && value.toLowerCase() === 'close') return listed;
  const names = listed ?? new Set<string>();
  for (const token of value.split(',')) names.add(token.trim().toLowerCase());
  return names;
}

function addCookies(kept: string[], name: string, value: string): void {
  const others = withoutOwnCookies(value);
  if (others !== undefined) kept.push(name, others);
}

function withoutListed(headers: string[], listed: ReadonlySet<string> | undefined): string[] {
  if (listed === undefined) return headers;
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!listed.has(name.toLowerCase())) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}

function requestHeaders(raw: RawHeaders, anyName: boolean): string[] {
  const kept: string[] = [];
  let listed: Set<string> | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const kind = kindOfHeader(name);
    if (kind === 'connection') listed = addListed(listed, value);
    else if (kind === 'cookie') addCookies(kept, name, value);
    else if (keptInRequest.has(kind) && (anyName || isAcceptedName(name))) kept.push(name, value);
  }
  return withoutListed(kept, listed);
}

const keptInRequest: ReadonlySet<HeaderKind> = new Set(['forward', 'trace', 'origin']);

/**
 * The headers of a client's request that a proxy takes up (contract/proxies.md#invocation,
 * contract/proxies.md#forwarded-request): names of letters, digits, `-` and `_` only; hop-by-hop headers and those
 * that Connection lists, Host, Content-Length, Expect, and the service's own names (SVC-…, BT-…) except the trace id
 * are left out, and so are its own cookies.
 *
 * What it returns is fit to be sent: without a transform in between `outboundHeaders` has nothing to add.
 *
 * @param raw `IncomingMessage.rawHeaders`.
 * @returns a new list, spelled as the client spelled it.
 */
export function acceptedHeaders(raw: RawHeaders): string[] {
  return requestHeaders(raw, false);
}

/**
 * The headers for the destination after a transform: any name, but still nothing
 * hop-by-hop, no Host, Content-Length or Expect, and no name of the service's except the trace id.
 *
 * @param headers the list that the transform returned; names and values that HTTP cannot carry are refused by undici.
 */
export function outboundHeaders(headers: RawHeaders): string[] {
  return requestHeaders(headers, true);
}

/** Header octets are Latin-1 on both sides, so that bytes above ASCII pass unchanged. */
function text(part: string | Buffer | undefined): string {
  return typeof part === 'object' ? part.toString('latin1') : (part ?? '');
}

const keptInResponse: ReadonlySet<HeaderKind> = new Set(['forward', 'framing']);

function addSetCookie(kept: string[], name: string, value: string): void {
  if (!isOwnCookie(value)) kept.push(name, value);
}

/**
 * The headers of a destination's response that reach the client: raw, duplicates and unrestricted names included, but
 * nothing hop-by-hop and none of the service's own names (SVC-…, BT-…) and cookies, so that a destination cannot speak
 * for this service; nor headers that apply to its whole origin (Clear-Site-Data, Service-Worker-Allowed).
 * Content-Length stays; a change of the body replaces it.
 *
 * @param raw names and values alternating, as strings or bytes.
 */
export function responseHeaders(raw: RawResponseHeaders): string[] {
  const kept: string[] = [];
  let listed: Set<string> | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = text(raw[index]);
    const kind = kindOfHeader(name);
    if (kind === 'connection') listed = addListed(listed, text(raw[index + 1]));
    else if (keptInResponse.has(kind)) kept.push(name, text(raw[index + 1]));
    else if (kind === 'cookie') addSetCookie(kept, name, text(raw[index + 1]));
  }
  return withoutListed(kept, listed);
}
