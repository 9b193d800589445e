import { isIP } from 'node:net';

import { type HostRefusal, checkHost } from './check-host.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { isDnsName, privateNames, withoutBrackets } from './host-name.ts';

/** Why a destination's text is refused. */
export type DestinationRefusal =
  | HostRefusal
  | 'length'
  | 'character'
  | 'malformed'
  | 'credentials'
  | 'fragment'
  | 'host'
  | 'port';

/** What a refusal means, as a sentence about the field for the caller. */
export function destinationRefusalText(reason: DestinationRefusal, { urlLength }: EgressPolicy): string {
  return reason === 'length' ? `must be 1 to ${urlLength} characters long` : refusalText[reason];
}

const refusalText: Readonly<Record<Exclude<DestinationRefusal, 'length'>, string>> = {
  character: 'must not contain whitespace, control characters or backslashes',
  scheme: 'must start with https://',
  malformed: 'must be an absolute URL',
  credentials: 'must not contain a user name or password',
  fragment: 'must not contain a fragment',
  host: 'must have a DNS name as its host, without a final dot',
  port: 'must have a port from 1 to 65535',
  'ip-literal': 'must have a DNS name as its host, not an IP address',
  'local-name': 'must have a public DNS name as its host',
  'private-name': `must have a host that can be public, not a name of ${privateNames}, unless the operator allows it (EGRESS_ALLOW_HOSTS)`,
};

/** A destination that may be dialled, or the reason why not. */
export type ParsedDestination =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: DestinationRefusal };

/** Characters that the URL parser would silently drop, trim or turn into slashes; a lone surrogate becomes U+FFFD. */
const refusedCharacter = /[\s\p{Cc}\\]/u;

/** Scheme, authority and the rest as they are written, before the parser normalises them. */
const written = /^(?<scheme>[a-z]+):\/\/(?<authority>[^/?#]+)/;

const portNumber = /^[1-9]\d{0,4}$/;

/** The text after the host's colon, '' for a colon alone, undefined without one. */
function writtenPort(authority: string): string | undefined {
  const afterLiteral = authority.slice(authority.lastIndexOf(']') + 1);
  const colon = afterLiteral.indexOf(':');
  return colon === -1 ? undefined : afterLiteral.slice(colon + 1);
}

function refuseText(text: string, { urlLength }: EgressPolicy): DestinationRefusal | undefined {
  if (text.length === 0 || text.length > urlLength) return 'length';
  if (refusedCharacter.test(text) || !text.isWellFormed()) return 'character';
  const parts = written.exec(text)?.groups;
  if (parts === undefined) return /^https?:\/\//.test(text) ? 'malformed' : 'scheme';
  const authority = parts['authority'] ?? '';
  if (authority.includes('@')) return 'credentials';
  if (text.includes('#')) return 'fragment';
  const port = writtenPort(authority);
  if (port !== undefined && !(portNumber.test(port) && Number(port) <= 65_535)) return 'port';
  return undefined;
}

/**
 * Parses and checks a proxy's `destination_url`; used when a proxy is written and again when it is dialled.
 *
 * The host is checked as the WHATWG parser normalises it, so an IP address spelled as decimal, octal, hexadecimal,
 * short, percent-encoded or full-width text is the address that it is. The
 * guarded dispatcher checks what the name resolves to when it connects.
 *
 * @param text the URL as the tenant wrote it.
 * @returns the URL (host in punycode, dot segments of the path resolved), or the first reason of refusal.
 */
export function parseDestination(text: string, policy: EgressPolicy): ParsedDestination {
  const refused = refuseText(text, policy);
  if (refused !== undefined) return { ok: false, reason: refused };
  const url = URL.parse(text);
  if (url === null) return { ok: false, reason: 'malformed' };
  const hostname = withoutBrackets(url.hostname);
  const reason = checkHost(policy, url.protocol, hostname);
  if (reason !== undefined) return { ok: false, reason };
  if (isIP(hostname) === 0 && !isDnsName(hostname)) return { ok: false, reason: 'host' };
  return { ok: true, url };
}
