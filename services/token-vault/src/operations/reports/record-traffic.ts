import { validationError } from '@glovebox/platform/errors/app-error';
import { durationClasses } from '@glovebox/platform/values/duration-classes';
import type { ReportTrafficRequest, ReportTrafficResponse } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { addTraffic } from '../../store/traffic.ts';
import { isUuid } from '../../values/uuid.ts';

const mostTenants = 1000;

/** Adds to the figures of tenants (contract/tenants.md#traffic). @throws AppError `invalid_argument`, `unavailable` */
export async function recordTraffic(
  { postgres }: Pick<VaultContext, 'postgres'>,
  { tenants }: ReportTrafficRequest,
): Promise<ReportTrafficResponse> {
  const ids = tenants.map(({ tenantId }) => tenantId);
  const problems: Record<string, string[]> = {};
  if (tenants.length > mostTenants) problems['tenants'] = [`must be at most ${mostTenants}`];
  if (new Set(ids).size < ids.length) problems['tenants'] = ['must each be there once'];
  tenants.slice(0, mostTenants).forEach(({ tenantId, durations }, at) => {
    if (!isUuid(tenantId)) problems[`tenants[${at}].tenant_id`] = ['must be a UUID'];
    if (durations.length > durationClasses) {
      problems[`tenants[${at}].durations`] = [`must have at most ${durationClasses} classes`];
    }
  });
  if (Object.keys(problems).length > 0) throw validationError(problems);
  if (tenants.length > 0) await addTraffic(postgres.forTenants(ids), tenants);
  return {};
}
