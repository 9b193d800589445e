import type { Queryable } from '@glovebox/platform/db/postgres';

import { isIntent } from '../values/token-intent-id.ts';

export interface TypeUsage {
  readonly type: string;
  readonly count: number;
  /** Microseconds since the epoch. */
  readonly lastCreatedMicros: number;
}

/** Counts a tenant's unexpired tokens by type. */
export async function countTypes(db: Queryable, tenantId: string): Promise<TypeUsage[]> {
  const rows = await db.query<{ type: string; count: string; last: string }>(
    'count-types',
    `SELECT type, count(*) AS count, (extract(epoch FROM max(created_at)) * 1000000)::bigint AS last
       FROM token WHERE tenant_id = $1 AND (expires_at IS NULL OR expires_at > now()) AND NOT ${isIntent}
      GROUP BY type ORDER BY type`,
    [tenantId],
  );
  return rows.map(({ type, count, last }) => ({
    type,
    count: Number(count),
    lastCreatedMicros: Number(last),
  }));
}
