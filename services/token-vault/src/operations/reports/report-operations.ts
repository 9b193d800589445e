import type { ReportOperationsRequest, ReportOperationsResponse } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { readOperations } from '../../store/operation-counts.ts';
import { cachedReports } from './cached-reports.ts';

/** Reports numbers only. The report of a very active tenant is cached for a while. */
export function operationsReporter(
  context: Pick<VaultContext, 'postgres' | 'queries' | 'limits'>,
): (request: ReportOperationsRequest) => Promise<ReportOperationsResponse> {
  return cachedReports(context, async (tenantId) => {
    const { operations, countedInPlace } = await readOperations(context.postgres, tenantId);
    return { report: { operations: [...operations] }, size: countedInPlace };
  });
}
