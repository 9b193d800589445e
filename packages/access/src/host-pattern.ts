import { getPublicSuffix } from 'tldts';

/** Longest `*.`, name (RFC 1035, 2.3.4) and port. */
const maxLength = 2 + 253 + 6;
const maxNameLength = 253;
const defaultPort = 443;

const written = /^(?<below>\*\.)?(?<host>[^\s\p{Cc}:/\\?#@%*[\]]+)(?::(?<port>[1-9]\d{0,4}))?$/u;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** What a pattern may name. */
export interface HostPatternScope {
  /** Whether `localhost` and the names under it are places: on a developer's machine. */
  readonly localhost: boolean;
}

/** A pattern as it is stored and shown, or a sentence about the member that held it. */
export type ParsedHostPattern =
  | { readonly ok: true; readonly pattern: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a host pattern as a client wrote it (contract/destinations.md#host-patterns): a DNS name, with `*.` before it
 * for the names below it, with a port after it if that is not 443.
 *
 * The name is normalised as in a URL: lower case, punycode. A wildcard before a public suffix is refused, because
 * anybody can register a name below one; suffixes of hosting companies, such as `github.io`, are among them.
 */
export function parseHostPattern(text: string, { localhost }: HostPatternScope): ParsedHostPattern {
  const parts = text.length <= maxLength && text.isWellFormed() ? written.exec(text)?.groups : undefined;
  if (text === '*') return refused(coversTooMuch);
  const port = Number(parts?.['port'] ?? defaultPort);
  const name = parts && URL.parse(`https://${parts['host']}`)?.hostname;
  if (name === undefined || port > 65_535) return refused(noPattern);
  if (/(?:^|\.)\d+$/.test(name)) return refused('must be a DNS name, not an IP address');
  if (!isDnsName(name)) return refused(noPattern);
  if (isLocal(name) && !localhost) return refused('cannot be this machine');
  const below = parts?.['below'] ?? '';
  if (below !== '' && isPublicSuffix(name)) return refused(coversTooMuch);
  return { ok: true, pattern: `${below}${name}${port === defaultPort ? '' : `:${port}`}` };
}

const noPattern =
  'must be a host such as api.example.com, *.example.com for the names below it, or api.example.com:8443';
const coversTooMuch = 'must not cover all hosts, nor all below a public suffix such as com or github.io';

function refused(problem: string): ParsedHostPattern {
  return { ok: false, problem };
}

function isDnsName(name: string): boolean {
  return name.length <= maxNameLength && name.split('.').every((part) => label.test(part));
}

function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, { allowPrivateDomains: true, extractHostname: false }) === name;
}
