import { placeOf } from '@glovebox/access/host-set';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { EgressViolation } from '@glovebox/published/egress-violations';
import type { PublishedLookups } from '@glovebox/published/published-lookups';
import type { TenantRecord } from '@glovebox/published/records';
import { type TenantEgress, egressReason } from '@glovebox/published/tenant-egress';

import type { Exchange } from '../../http/exchange.ts';
import { type ResolvedProxy, unknownProxy } from './resolve.ts';

export interface EgressPolicyDependencies {
  readonly published: PublishedLookups;
  /** Has a request reported that its tenant's egress policy does not let pass. */
  noteViolation(this: void, violation: EgressViolation): void;
}

/**
 * Decides by the egress policy of the tenant on the host of the destination, before the request is read
 * (contract/destinations.md#egress-policy-of-a-tenant). No path or query leads to another host.
 * @throws AppError `destination_not_allowed`; `not_found` for a proxy whose tenant is gone
 */
export function enforceEgressPolicy(
  exchange: Exchange,
  resolved: ResolvedProxy,
  { published, noteViolation }: EgressPolicyDependencies,
): MaybePromise<void> {
  return andThen(published.tenantById(resolved.proxy.tenantId), (tenant: TenantRecord | undefined) => {
    // Without its record it is unknown whether the tenant has a policy.
    if (tenant === undefined) throw unknownProxy();
    if (tenant.egress !== undefined) judge(exchange, resolved, tenant.egress, noteViolation);
  });
}

function judge(
  exchange: Exchange,
  { proxy, caller }: ResolvedProxy,
  policy: TenantEgress,
  noteViolation: EgressPolicyDependencies['noteViolation'],
): void {
  const { id, tenantId } = proxy;
  const destination = placeOf(new URL(proxy.destinationUrl));
  const reason = egressReason(policy, destination, id === '');
  if (reason === undefined) return;
  noteViolation({
    tenantId,
    subjectType: 'proxy',
    subjectId: id,
    destination,
    reason,
    denied: policy.isEnforced,
    applicationId: caller?.principal.applicationId ?? '',
    correlationId: exchange.correlationId,
  });
  if (!policy.isEnforced) return;
  const refused =
    reason === 'ephemeral_proxy'
      ? 'proxies by the header SVC-PROXY-URL'
      : // An anonymous caller need not learn where a proxy leads.
        caller === undefined
        ? 'the destination of this proxy'
        : `requests to ${destination}`;
  throw new AppError('destination_not_allowed', `The egress policy of the tenant does not allow ${refused}.`);
}
