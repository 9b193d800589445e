import { commonHosts, compileHosts, withPort } from '@glovebox/access/host-set';
import type { Reach } from '@glovebox/access/rules';
import type { HostPatterns } from '@glovebox/protos/published/v1/published';

import type { TenantRecord } from './records.ts';

/**
 * What the code of a proxy or reactor may reach (contract/destinations.md#what-a-use-reaches).
 * @param allowed its own hosts; undefined: what the tenant's egress policy allows
 * @param tenant undefined for one without a record, which has no policy
 * @returns places with their ports, which records leave out where they are 443
 */
export function reachOfCode(
  allowed: HostPatterns | undefined,
  tenant: Pick<TenantRecord, 'egressPolicy'> | undefined,
): Reach {
  const policy = tenant?.egressPolicy;
  const enforced = policy?.mode === 'enforce' ? (policy.destinations?.patterns ?? []) : undefined;
  const own = allowed?.patterns;
  if (own === undefined) return { anywhere: enforced === undefined, places: enforced?.map(withPort) ?? [] };
  const places =
    enforced === undefined
      ? own.map(withPort)
      : commonHosts(compileHosts(own), compileHosts(enforced)).places;
  return { anywhere: false, places };
}
