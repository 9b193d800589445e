import { validationError } from '@glovebox/platform/errors/app-error';
import type { ListTrafficRequest, ListTrafficResponse } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { selectTraffic, trafficSteps } from '../../store/traffic.ts';
import { isUuid } from '../../values/uuid.ts';

/** The figures of one tenant over time. @throws AppError `invalid_argument`, `unavailable` */
export async function listTraffic(
  { postgres, queries }: Pick<VaultContext, 'postgres' | 'queries'>,
  { tenantId, stepSeconds, fromMicros }: ListTrafficRequest,
): Promise<ListTrafficResponse> {
  if (!isUuid(tenantId)) throw validationError({ tenant_id: ['must be a UUID'] });
  if (trafficSteps.every(({ seconds }) => seconds !== stepSeconds)) {
    throw validationError({ step_seconds: ['must be a step that is kept'] });
  }
  const db = postgres.forTenant(tenantId);
  const points = await queries.run(tenantId, () =>
    selectTraffic(db, tenantId, stepSeconds, new Date(fromMicros / 1000)),
  );
  return {
    points: points.map(({ at, durations, ...counts }) => ({
      atMicros: Number(at),
      requests: Number(counts.requests),
      errors: Number(counts.errors),
      refused: Number(counts.refused),
      killed: Number(counts.killed),
      leaks: Number(counts.leaks),
      durations: durations.map(Number),
    })),
  };
}
