import { placeOf } from '@glovebox/access/host-set';
import type { EgressViolation } from '@glovebox/published/egress-violations';
import type { PublishedRecords } from '@glovebox/published/published-records';
import { egressReason } from '@glovebox/published/tenant-egress';

export interface EgressCheckContext {
  readonly published: Pick<PublishedRecords, 'tenantById'>;
  /** Records a request that the tenant's egress policy does not allow. */
  noteViolation(this: void, violation: EgressViolation): void;
}

/** Who sends something to an address that the tenant has chosen. */
export type Sender = Pick<
  EgressViolation,
  'tenantId' | 'subjectType' | 'subjectId' | 'applicationId' | 'correlationId'
>;

/**
 * Checks the host of a webhook or callback against the tenant's egress policy
 * (contract/destinations.md#egress-policy-of-a-tenant).
 * @returns true if nothing may be sent there, and for a deleted tenant
 */
export async function isRefused(
  { published, noteViolation }: EgressCheckContext,
  sender: Sender,
  url: URL,
): Promise<boolean> {
  const tenant = await published.tenantById(sender.tenantId);
  if (tenant === undefined) return true;
  if (tenant.egress === undefined) return false;
  const destination = placeOf(url);
  const reason = egressReason(tenant.egress, destination);
  if (reason === undefined) return false;
  const denied = tenant.egress.isEnforced;
  noteViolation({ ...sender, destination, reason, denied });
  return denied;
}
