import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Who sent a request, as far as it can be known. `X-Forwarded-For` is believed as far as proxies of our own have
 * written it: each adds the address that it sees at the end. Anything before is the client's to invent.
 *
 * @param trustedHops how many proxies of our own a request passes on its way; 0: none, the header means nothing
 * @returns an IP address, each in one spelling; empty once the connection is gone
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedHops: number): string {
  const seen = socket.remoteAddress ?? '';
  if (trustedHops === 0) return spelled(seen);
  const header = headers['x-forwarded-for'] ?? '';
  const forwarded = (Array.isArray(header) ? header.join(',') : header).split(',').map((part) => part.trim());
  const claimed = forwarded.at(-trustedHops) ?? '';
  return spelled(isIP(claimed) === 0 ? seen : claimed);
}

function spelled(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  // URL writes every spelling of an address alike.
  return new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
}

/**
 * What one client commonly has: an IPv4 address, or the /64 of an IPv6 address.
 * @param address as `clientAddress` returns it
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return `${[...groups, ...missing, ...rest].slice(0, 4).join(':')}::/64`;
}
