import type { ReportUsageRequest, ReportUsageResponse } from '@glovebox/protos/vault/v1/vault';

import type { VaultContext } from '../../context/vault-context.ts';
import { readActivity } from '../../store/token-activity.ts';
import { countTypes } from '../../store/token-types.ts';
import { cachedReports } from './cached-reports.ts';

type UsageContext = Pick<VaultContext, 'postgres' | 'queries' | 'limits'>;

/** Reports numbers only. The report of a tenant with very many tokens is cached for a while. */
export function usageReporter(
  context: UsageContext,
): (request: ReportUsageRequest) => Promise<ReportUsageResponse> {
  return cachedReports(context, async (tenantId) => {
    const report = await count(context, tenantId);
    return { report, size: sizeOf(report) };
  });
}

async function count({ postgres }: UsageContext, tenantId: string): Promise<ReportUsageResponse> {
  return { types: await countTypes(postgres, tenantId), months: await readActivity(postgres, tenantId) };
}

function sizeOf({ types, months }: ReportUsageResponse): number {
  const tokens = types.reduce((sum, { count: some }) => sum + some, 0);
  return months.reduce((sum, { activeTokens }) => sum + activeTokens, tokens);
}
