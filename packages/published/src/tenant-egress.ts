import { type HostSet, compileHosts, covers } from '@glovebox/access/host-set';
import type { EgressPolicy } from '@glovebox/protos/published/v1/published';

/** Where requests on behalf of a tenant may go, ready for decisions (contract/destinations.md#egress-policy-of-a-tenant). */
export interface TenantEgress {
  /** If false, a request to any other host is sent, and reported. */
  readonly isEnforced: boolean;
  readonly hosts: HostSet;
  /** The hosts as they are published. */
  readonly patterns: readonly string[];
  /** Whether ephemeral proxies may be used. */
  readonly ephemeral: boolean;
}

/** Why a request does not fit; the audit log and events name it. */
export type EgressReason = 'egress_policy' | 'ephemeral_proxy' | 'allowed_destinations';

/** @returns undefined for a policy that is off. @throws Error for a mode that this version does not know */
export function readTenantEgress({ mode, destinations, ephemeral }: EgressPolicy): TenantEgress | undefined {
  if (mode === 'off') return undefined;
  if (mode !== 'report' && mode !== 'enforce') throw new Error('the egress policy has an unknown mode');
  const patterns = destinations?.patterns ?? [];
  return { isEnforced: mode === 'enforce', hosts: compileHosts(patterns), patterns, ephemeral };
}

/**
 * @param place `host:port`, as `placeOf` spells it
 * @returns undefined where the policy lets the request pass without a report
 */
export function egressReason(
  policy: TenantEgress,
  place: string,
  isEphemeral = false,
): EgressReason | undefined {
  if (isEphemeral && !policy.ephemeral) return 'ephemeral_proxy';
  return covers(policy.hosts, place) ? undefined : 'egress_policy';
}
