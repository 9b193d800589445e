import { isIP } from 'node:net';

import { type AddressVerdict, classifyAddress } from './address-policy.ts';
import { isAllowedHost } from './check-host.ts';
import { inCidrs } from './cidr.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { isLocalName } from './host-name.ts';
import { parseAddress } from './parse-address.ts';

/** Why an address is refused; `deny-not-local`: a name that means this machine resolved to somewhere else. */
export type AddressRefusal = Exclude<AddressVerdict, 'allow-public'> | 'deny-not-local';

/** Verdicts that an operator's CIDR block may overrule. */
const openedByCidr: ReadonlySet<AddressVerdict> = new Set([
  'deny-loopback',
  'deny-private',
  'deny-link-local',
  'deny-cgnat',
  'deny-reserved',
  'deny-nat64',
]);

/** Verdicts that an operator's host entry may overrule. */
const openedByHost: ReadonlySet<AddressVerdict> = new Set(['deny-private', 'deny-cgnat']);

/** The IPv4 address in the last 32 bits of a NAT64 address (RFC 6052, 2.2, prefix length 96). */
function embeddedV4(address: string): string {
  return parseAddress(address)?.toByteArray().slice(-4).join('.') ?? '';
}

function openedByOperator(policy: EgressPolicy, address: string, verdict: AddressVerdict): boolean {
  if (!openedByCidr.has(verdict) || !inCidrs(policy.allowCidrs, address)) return false;
  return verdict !== 'deny-nat64' || classifyAddress(embeddedV4(address)) === 'allow-public';
}

/**
 * Judges an address that is about to be dialled, or has been, for a host.
 *
 * @param hostname the host that `checkHost` let pass: a name, or the literal itself.
 * @param address one address it resolved to, or the peer address of its socket.
 * @returns the reason of refusal, or undefined when the address may be dialled.
 */
export function checkAddress(
  policy: EgressPolicy,
  hostname: string,
  address: string,
): AddressRefusal | undefined {
  const verdict = classifyAddress(address);
  if (policy.profile === 'development' && (isLocalName(hostname) || isIP(hostname) !== 0)) {
    if (verdict === 'deny-loopback') return undefined;
    return verdict === 'allow-public' ? 'deny-not-local' : verdict;
  }
  if (verdict === 'allow-public' || openedByOperator(policy, address, verdict)) return undefined;
  return openedByHost.has(verdict) && isAllowedHost(policy, hostname) ? undefined : verdict;
}
