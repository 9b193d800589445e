import { addressKey, type ParsedAddress, parseAddress } from './parse-address.ts';

/**
 * What an IP address is, as the named reason for which it may or may not be dialled.
 * Only `allow-public` is a public unicast address; everything that is not known to be one is denied.
 */
export type AddressVerdict =
  | 'allow-public'
  | 'deny-loopback'
  | 'deny-private'
  | 'deny-link-local'
  | 'deny-metadata'
  | 'deny-cgnat'
  | 'deny-multicast'
  | 'deny-broadcast'
  | 'deny-unspecified'
  | 'deny-v4-mapped'
  | 'deny-v4-compatible'
  | 'deny-nat64'
  | 'deny-6to4'
  | 'deny-teredo'
  | 'deny-reserved'
  | 'deny-unparseable';

/**
 * Ranges as ipaddr.js names them; a name that is missing here (documentation, benchmarking, AS112, …) is
 * `deny-reserved`.
 */
const verdictByRange: ReadonlyMap<string, AddressVerdict> = new Map([
  ['unicast', 'allow-public'],
  ['loopback', 'deny-loopback'],
  ['private', 'deny-private'],
  ['uniqueLocal', 'deny-private'],
  ['deprecatedSiteLocal', 'deny-private'],
  ['linkLocal', 'deny-link-local'],
  ['carrierGradeNat', 'deny-cgnat'],
  ['multicast', 'deny-multicast'],
  ['broadcast', 'deny-broadcast'],
  ['unspecified', 'deny-unspecified'],
  ['ipv4Mapped', 'deny-v4-mapped'],
  ['rfc6052', 'deny-nat64'],
  ['6to4', 'deny-6to4'],
  ['teredo', 'deny-teredo'],
]);

/**
 * Addresses at which cloud providers serve machine credentials. Some lie in public or in shared space
 * (168.63.129.16, 100.100.100.200), where the range alone would not tell.
 */
const metadataAddresses: ReadonlySet<string> = new Set(
  ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254']
    .map(parseAddress)
    .filter((address) => address !== undefined)
    .map(addressKey),
);

/** The first 96 bits are zero: the deprecated IPv4-compatible form, `::1.2.3.4` (RFC 4291, 2.5.5.1). */
function isV4Compatible(address: ParsedAddress): boolean {
  return 'parts' in address && address.parts.slice(0, 6).every((part) => part === 0);
}

/**
 * Classifies an address by its parsed bytes, never by its spelling.
 *
 * @param ip an address as DNS or a socket gives it: dotted quad, or IPv6 without brackets. Anything
 *   else, including short, octal and hexadecimal IPv4 forms, is `deny-unparseable`.
 * @returns one verdict. An IPv6 address that carries an IPv4 address (mapped, compatible, NAT64, 6to4,
 *   Teredo) is denied whatever it carries: a public name has no need of it, and its route is unknown.
 *
 * Ranges: the IANA special-purpose registries (RFC 6890) as ipaddr.js lists them.
 */
export function classifyAddress(ip: string): AddressVerdict {
  const address = parseAddress(ip);
  if (address === undefined) return 'deny-unparseable';
  const range = address.range();
  if (metadataAddresses.has(addressKey(address))) return 'deny-metadata';
  if (range === 'unicast' && isV4Compatible(address)) return 'deny-v4-compatible';
  return verdictByRange.get(range) ?? 'deny-reserved';
}
