import ipaddr from 'ipaddr.js';

import { addressKey, parseAddress } from './parse-address.ts';

/** Wider than any block an operator can own privately (10/8, fc00::/7): a slip that would switch the guard off. */
const widestPrefix = { ipv4: 8, ipv6: 7 } as const;

/** Address and prefix length; an IPv6 network with a dotted tail is not taken. */
const cidrForm = /^(?<network>[\d.]+|[\da-f:]+)\/(?<bits>\d{1,3})$/i;

/**
 * Says what is wrong with a CIDR block of the operator's allow-list.
 *
 * @param text `10.1.0.0/16`, `fd12::/48`; the prefix length is required, host bits must be zero.
 * @returns the problem as a sentence, or undefined for a valid block.
 */
export function cidrProblem(text: string): string | undefined {
  const { network = '', bits = '' } = cidrForm.exec(text)?.groups ?? {};
  const address = parseAddress(network);
  if (address === undefined || !ipaddr.isValidCIDR(text))
    return `"${text}" is not a CIDR block such as 10.1.0.0/16`;
  const widest = widestPrefix[address.kind()];
  if (Number(bits) < widest) return `"${text}" is too wide: /${widest} is the widest`;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(text);
  if (addressKey(first) === addressKey(address)) return undefined;
  return `"${text}" has host bits set: did you mean ${first.toString()}/${bits}`;
}

/**
 * True when the address lies in one of the blocks.
 *
 * @param cidrs blocks that `cidrProblem` accepts.
 * @param ip an address as DNS or a socket gives it.
 */
export function inCidrs(cidrs: readonly string[], ip: string): boolean {
  const address = parseAddress(ip);
  return cidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === address?.kind() && address.match(network, bits);
  });
}
