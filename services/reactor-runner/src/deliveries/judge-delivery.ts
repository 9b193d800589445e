import { placeOf } from '@glovebox/access/host-set';
import type { EgressViolation } from '@glovebox/published/egress-violations';
import type { PublishedRecords } from '@glovebox/published/published-records';
import { egressReason } from '@glovebox/published/tenant-egress';

export interface JudgeContext {
  readonly published: Pick<PublishedRecords, 'tenantById'>;
  /** Has a request reported that its tenant's egress policy does not let pass. */
  noteViolation(this: void, violation: EgressViolation): void;
}

/** Who sends something to an address that the tenant has chosen. */
export type Sender = Pick<
  EgressViolation,
  'tenantId' | 'subjectType' | 'subjectId' | 'applicationId' | 'correlationId'
>;

/**
 * Decides by the egress policy of the tenant on the host of a webhook or callback
 * (contract/destinations.md#egress-policy-of-a-tenant).
 * @returns whether nothing may be sent there; so also when the tenant is gone
 */
export async function isRefused(
  { published, noteViolation }: JudgeContext,
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
