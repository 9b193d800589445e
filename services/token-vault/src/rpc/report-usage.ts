import { validationError } from '@glovebox/platform/errors';
import type { ReportUsageRequest, ReportUsageResponse } from '@glovebox/protos/vault/v1/vault';
import { LRUCache } from 'lru-cache';

import { readActivity } from '../store/token-activity.ts';
import { countTypes } from '../store/token-types.ts';
import { isUuid } from '../uuid.ts';
import type { VaultContext } from '../vault-context.ts';

type UsageContext = Pick<VaultContext, 'postgres' | 'queries' | 'limits'>;

/** Whoever may call this learns numbers only. A tenant with very many tokens is told the same for a while. */
export function usageReporter(
  context: UsageContext,
): (request: ReportUsageRequest) => Promise<ReportUsageResponse> {
  const { countedAnew, countKeptMs } = context.limits;
  const kept = new LRUCache<string, ReportUsageResponse>({ max: 1000, ttl: countKeptMs });
  return async ({ tenantId }) => {
    if (!isUuid(tenantId)) throw validationError({ tenant_id: ['must be a UUID'] });
    return context.queries.run(tenantId, async () => {
      const known = kept.get(tenantId);
      if (known !== undefined) return known;
      const report = await count(context, tenantId);
      if (sizeOf(report) > countedAnew) kept.set(tenantId, report);
      return report;
    });
  };
}

async function count({ postgres }: UsageContext, tenantId: string): Promise<ReportUsageResponse> {
  return { types: await countTypes(postgres, tenantId), months: await readActivity(postgres, tenantId) };
}

function sizeOf({ types, months }: ReportUsageResponse): number {
  const tokens = types.reduce((sum, { count: some }) => sum + some, 0);
  return months.reduce((sum, { activeTokens }) => sum + activeTokens, tokens);
}
