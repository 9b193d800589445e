import { isIP } from 'node:net';

import { classifyAddress } from './address-policy.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { isLocalName, isPrivateName } from './host-name.ts';

/** Why a scheme and host are refused before anything is resolved. */
export type HostRefusal = 'scheme' | 'ip-literal' | 'local-name' | 'private-name';

/** Whether an operator's entries name a host. */
export function isAllowedHost({ allowHosts }: EgressPolicy, hostname: string): boolean {
  return allowHosts.some((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
}

/** A literal counts as this machine only as 127/8 or ::1; IPv4-mapped spellings do not. */
function isLoopbackLiteral(hostname: string): boolean {
  return isIP(hostname) !== 0 && classifyAddress(hostname) === 'deny-loopback';
}

/**
 * Judges what a URL says of its destination; what the name resolves to is `checkAddress`'s business.
 *
 * @param protocol with its colon, as `URL.protocol` has it.
 * @param hostname normalised by the URL parser, without brackets.
 * @returns the reason of refusal, or undefined.
 */
export function checkHost(policy: EgressPolicy, protocol: string, hostname: string): HostRefusal | undefined {
  const local = isLocalName(hostname);
  const open = policy.profile === 'development' && (local || isLoopbackLiteral(hostname));
  if (open) return protocol === 'https:' || protocol === 'http:' ? undefined : 'scheme';
  const isName = isIP(hostname) === 0;
  // Said first: with https such a name would be refused as well.
  if (isName && !local && isPrivateName(hostname) && !isAllowedHost(policy, hostname)) return 'private-name';
  if (protocol !== 'https:') return 'scheme';
  if (!isName) return 'ip-literal';
  return local ? 'local-name' : undefined;
}
