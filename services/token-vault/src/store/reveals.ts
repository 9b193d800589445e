import type { Queryable } from '@glovebox/platform/db/postgres';

/** How many tokens of a tenant people have seen in plain during the last hour, up to a limit. */
export async function countReveals(db: Queryable, tenantId: string, limit: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'count-reveals',
    `SELECT count(*)::integer AS count
       FROM (SELECT 1 FROM searchable_audit
              WHERE tenant_id = $1 AND purpose = 'reveal' AND outcome = 'allowed' AND at > now() - interval '1 hour'
              LIMIT $2) AS recent`,
    [tenantId, limit],
  );
  return rows[0]?.count ?? 0;
}
