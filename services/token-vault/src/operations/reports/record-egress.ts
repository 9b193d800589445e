import { validationError } from '@glovebox/platform/errors/app-error';
import type { ReportEgressRequest, ReportEgressResponse } from '@glovebox/protos/vault/v1/vault';
import type { Actor } from '@glovebox/published/webhook-events';

import type { VaultContext } from '../../context/vault-context.ts';
import { insertEgress } from '../../store/audit-egress.ts';
import { isUuid } from '../../values/uuid.ts';
import { isDestination, mostCounted } from './report-bounds.ts';

const subjects = new Set(['proxy', 'reactor', 'webhook']);
const reasons = new Set(['egress_policy', 'ephemeral_proxy', 'allowed_destinations']);
/** Stored when several hosts are counted together. */
const otherHosts = 'other hosts';

/**
 * Records a request that did not fit an egress policy, and emits its event with the record
 * (contract/destinations.md#egress-policy-of-a-tenant).
 * @throws AppError `invalid_argument`, `unavailable`
 */
export async function recordEgress(
  { postgres, events }: Pick<VaultContext, 'postgres' | 'events'>,
  request: ReportEgressRequest,
): Promise<ReportEgressResponse> {
  refuseInvalid(request);
  const { tenantId, subjectType, subjectId, destination, reason, denied, count } = request;
  const applicationId = request.applicationId === '' ? null : request.applicationId;
  const correlationId = request.correlationId === '' ? null : request.correlationId;
  const outcome = denied ? 'denied' : 'allowed';
  const actor: Actor =
    applicationId === null ? { type: 'system' } : { id: applicationId, type: 'application' };
  const data = {
    subject: { type: subjectType, ...(subjectId === '' ? {} : { id: subjectId }) },
    destination,
    outcome,
    reason,
    count,
  };
  await postgres.forTenant(tenantId).transaction(async (tx) => {
    await insertEgress(tx, { ...request, outcome, applicationId, correlationId });
    await events.emitWithin(tx, { tenantId, actor, correlationId }, 'egress.violation', () => [data]);
  });
  return {};
}

function refuseInvalid(request: ReportEgressRequest): void {
  const { tenantId, subjectType, subjectId, destination, reason, count, applicationId } = request;
  const problems: Record<string, string[]> = {};
  if (!isUuid(tenantId)) problems['tenant_id'] = ['must be a UUID'];
  if (!subjects.has(subjectType)) problems['subject_type'] = [`must be one of ${[...subjects].join(', ')}`];
  if (subjectId !== '' && !isUuid(subjectId)) problems['subject_id'] = ['must be a UUID'];
  if (destination !== otherHosts && !isDestination(destination)) {
    problems['destination'] = ['must be a host and a port'];
  }
  if (!reasons.has(reason)) problems['reason'] = [`must be one of ${[...reasons].join(', ')}`];
  if (count === 0 || count > mostCounted) problems['count'] = [`must be from 1 to ${mostCounted}`];
  if (applicationId !== '' && !isUuid(applicationId)) problems['application_id'] = ['must be a UUID'];
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
