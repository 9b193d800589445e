import { validationError } from '@glovebox/platform/errors/app-error';
import type {
  ReportOperationsRequest,
  ReportOperationsResponse,
  ReportUsageRequest,
  ReportUsageResponse,
} from '@glovebox/protos/vault/v1/vault';
import { LRUCache } from 'lru-cache';

import type { VaultContext } from '../../context/vault-context.ts';
import { readOperations } from '../../store/operation-counts.ts';
import { readActivity } from '../../store/token-activity.ts';
import { countTypes } from '../../store/token-types.ts';
import { isUuid } from '../../values/uuid.ts';

type ReportContext = Pick<VaultContext, 'postgres' | 'queries' | 'limits'>;

/** Reads counts of a tenant's tokens. Those of a tenant with very many tokens are cached for a while. */
export function createUsageReader(
  context: ReportContext,
): (request: ReportUsageRequest) => Promise<ReportUsageResponse> {
  return cachedReports(context, async (tenantId) => {
    const db = context.postgres.forTenant(tenantId);
    const types = await countTypes(db, tenantId);
    const months = await readActivity(db, tenantId);
    const tokens = types.reduce((sum, { count }) => sum + count, 0);
    const size = months.reduce((sum, { activeTokens }) => sum + activeTokens, tokens);
    return { report: { types, months }, size };
  });
}

/** Reads counts of a tenant's operations. Those of a very active tenant are cached for a while. */
export function createOperationsReader(
  context: ReportContext,
): (request: ReportOperationsRequest) => Promise<ReportOperationsResponse> {
  return cachedReports(context, async (tenantId) => {
    const { operations, countedInPlace } = await readOperations(
      context.postgres.forTenant(tenantId),
      tenantId,
    );
    return { report: { operations: [...operations] }, size: countedInPlace };
  });
}

/** Makes one report per tenant at a time. Reports with a large `size`, the number of counted rows, are cached for a while. */
function cachedReports<Report extends object>(
  { queries, limits: { countedAnew, countKeptMs } }: Pick<VaultContext, 'queries' | 'limits'>,
  make: (tenantId: string) => Promise<{ readonly report: Report; readonly size: number }>,
): (request: { readonly tenantId: string }) => Promise<Report> {
  const cache = new LRUCache<string, Report>({ max: 1000, ttl: countKeptMs });
  return async ({ tenantId }) => {
    if (!isUuid(tenantId)) throw validationError({ tenant_id: ['must be a UUID'] });
    return queries.run(tenantId, async () => {
      const known = cache.get(tenantId);
      if (known !== undefined) return known;
      const { report, size } = await make(tenantId);
      if (size > countedAnew) cache.set(tenantId, report);
      return report;
    });
  };
}
