import { validationError } from '@glovebox/platform/errors/app-error';
import { LRUCache } from 'lru-cache';

import type { VaultContext } from '../../context/vault-context.ts';
import { isUuid } from '../../values/uuid.ts';

interface Reported<Report> {
  readonly report: Report;
  /** How much was counted. */
  readonly size: number;
}

/** Makes one report per tenant at a time. Expensive reports are cached for a while. */
export function cachedReports<Report extends object>(
  { queries, limits: { countedAnew, countKeptMs } }: Pick<VaultContext, 'queries' | 'limits'>,
  make: (tenantId: string) => Promise<Reported<Report>>,
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
