import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** An address as bytes, with the operations of ipaddr.js on them. */
export type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an address as DNS, a socket or a normalised URL spells it; short, octal and hexadecimal IPv4 forms are none.
 *
 * @returns undefined for anything else.
 */
export function parseAddress(ip: string): ParsedAddress | undefined {
  const family = isIP(ip);
  if (family === 0) return undefined;
  if (family === 4 || !ip.includes('.')) return ipaddr.parse(ip);
  // ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4; the URL parser writes the dotted tail as the hexadecimal it is.
  const [address = ''] = ip.split('%');
  return ipaddr.parse(new URL(`http://[${address}]`).hostname.slice(1, -1));
}

/** The one spelling of an address: equal text means equal bytes. */
export function addressKey(address: ParsedAddress): string {
  return address.toNormalizedString();
}
