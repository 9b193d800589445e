/** RFC 1035, 2.3.4: the longest name in text form without its final dot, and the longest label. */
const maxNameLength = 253;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * True for a DNS name as the WHATWG URL parser leaves it: lower case, punycode, no final dot. Underscores
 * are let through (they occur in real names); everything else outside letters, digits and hyphens is not.
 */
export function isDnsName(hostname: string): boolean {
  return hostname.length <= maxNameLength && hostname.split('.').every((part) => label.test(part));
}

/** True for `localhost` and the names under it (RFC 6761, 6.3), which mean this machine whatever DNS says. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Names of these can lead nowhere in public: RFC 6761, 6762, 7686 and 8375, ICANN's `.internal`, and what routers use.
 */
const privateSuffixes = [
  'local',
  'localhost',
  'localdomain',
  'internal',
  'home.arpa',
  'lan',
  'test',
  'invalid',
  'onion',
] as const;

/** As a sentence about a host names them. */
export const privateNames = `one label, or the end ${privateSuffixes.map((suffix) => `.${suffix}`).join(', ')}`;

/** True for a name that cannot be public: it leads somewhere only inside of a network, or nowhere. */
export function isPrivateName(hostname: string): boolean {
  const name = `.${hostname.toLowerCase().replace(/\.+$/, '')}`;
  return name.lastIndexOf('.') === 0 || privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}

/** The host of a URL without the brackets of an IPv6 literal: the form that sockets and resolvers take. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
