import { isIP } from 'node:net';

import { cidrProblem } from './cidr.ts';
import { isDnsName, isLocalName } from './host-name.ts';

/** Longest URL of a destination unless the operator sets another (contract/limits.md#field-bounds). */
export const defaultUrlLength = 400;

/**
 * - `strict`: https to DNS names that resolve to public addresses, TLS 1.2 or newer.
 * - `development`: the same, and also http and https to this machine itself: `localhost`, names under it, 127/8 and
 *   ::1. Private ranges and metadata addresses stay closed.
 */
export type EgressProfile = 'strict' | 'development';

/** What an operator may set. Both lists open on-premise destinations; neither opens http or literal IP addresses. */
export interface EgressSettings {
  readonly profile: EgressProfile;
  /**
   * Blocks such as `10.1.0.0/16` or `fd12:3456::/32` whose addresses may be dialled although they are not public,
   * whatever the name that resolves to them. Never opened: metadata services, multicast, broadcast, unspecified,
   * and IPv6 forms that carry an IPv4 address, except NAT64 (`64:ff9b::/96`), whose embedded address is checked too.
   */
  readonly allowCidrs?: readonly string[];
  /**
   * Names, exact (`ledger.corp.example`) or with a leading `*.` for everything below, in punycode, which may resolve
   * to private (RFC 1918, fc00::/7) and shared (100.64/10) addresses. Loopback and link-local stay closed to them.
   * Names that cannot be public (`ledger`, `ledger.internal`) are destinations only if they are among these.
   */
  readonly allowHosts?: readonly string[];
  /** Longest URL that may be set as a destination, in characters; `defaultUrlLength` where it is absent. */
  readonly urlLength?: number;
}

/** A checked `EgressSettings`: plain data, so it can be compared, logged and handed to another process. */
export interface EgressPolicy {
  readonly profile: EgressProfile;
  readonly allowCidrs: readonly string[];
  readonly allowHosts: readonly string[];
  /** In characters. */
  readonly urlLength: number;
}

function hostProblem(pattern: string): string | undefined {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  if (isDnsName(name) && isIP(name) === 0 && !isLocalName(name)) return undefined;
  return `"${pattern}" is not a DNS name in lower case, with at most a leading "*."`;
}

/**
 * Every problem of the settings at once, as sentences for the operator; empty when `createEgressPolicy` accepts them.
 */
export function egressPolicyProblems(settings: EgressSettings): string[] {
  return [
    ...(settings.allowCidrs ?? []).map(cidrProblem),
    ...(settings.allowHosts ?? []).map(hostProblem),
  ].filter((problem) => problem !== undefined);
}

/**
 * The policy for everything that leaves.
 * @throws RangeError naming every bad entry of the lists.
 */
export function createEgressPolicy(settings: EgressSettings): EgressPolicy {
  const problems = egressPolicyProblems(settings);
  if (problems.length > 0) throw new RangeError(`invalid egress policy: ${problems.join('; ')}`);
  return Object.freeze({
    profile: settings.profile,
    allowCidrs: Object.freeze([...(settings.allowCidrs ?? [])]),
    allowHosts: Object.freeze([...(settings.allowHosts ?? [])]),
    urlLength: settings.urlLength ?? defaultUrlLength,
  });
}
