import { validationError } from '@glovebox/platform/errors/app-error';
import type { ReportLeakRequest, ReportLeakResponse } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { insertLeak, leakSubjects } from '../../store/audit-leaks.ts';
import { isUuid } from '../../values/uuid.ts';
import { isDestination, mostCounted } from './report-bounds.ts';

const modes = new Set(['report', 'mask', 'refuse']);

/**
 * Records that an answer contained a value from its own request (contract/proxies.md#leak-guard). The service that
 * found it emits the event.
 * @throws AppError `invalid_argument`, `unavailable`
 */
export async function recordLeak(
  { postgres }: Pick<VaultContext, 'postgres'>,
  request: ReportLeakRequest,
): Promise<ReportLeakResponse> {
  refuseInvalid(request);
  const { tenantId, mode, applicationId, correlationId, destination } = request;
  await insertLeak(postgres.forTenant(tenantId), {
    ...request,
    outcome: mode === 'refuse' ? 'denied' : 'allowed',
    reason: mode,
    applicationId: applicationId === '' ? null : applicationId,
    correlationId: correlationId === '' ? null : correlationId,
    destination: destination === '' ? null : destination,
  });
  return {};
}

function refuseInvalid(request: ReportLeakRequest): void {
  const { tenantId, subjectType, subjectId, destination, mode, count, applicationId } = request;
  const problems: Record<string, string[]> = {};
  if (!isUuid(tenantId)) problems['tenant_id'] = ['must be a UUID'];
  if (!leakSubjects.includes(subjectType)) {
    problems['subject_type'] = [`must be one of ${leakSubjects.join(', ')}`];
  }
  if (subjectId !== '' && !isUuid(subjectId)) problems['subject_id'] = ['must be a UUID'];
  if (destination !== '' && !isDestination(destination)) {
    problems['destination'] = ['must be a host and a port'];
  }
  if (!modes.has(mode)) problems['mode'] = [`must be one of ${[...modes].join(', ')}`];
  if (count === 0 || count > mostCounted) problems['count'] = [`must be from 1 to ${mostCounted}`];
  if (applicationId !== '' && !isUuid(applicationId)) problems['application_id'] = ['must be a UUID'];
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
