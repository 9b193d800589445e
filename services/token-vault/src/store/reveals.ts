import type { Queryable } from '@glovebox/platform/db/postgres';

/**
 * How many tokens of a tenant people have seen in plain during the last hour, up to a limit. Others who count wait until
 * the transaction ends, so that those who ask at the same time are counted, too.
 */
export async function countReveals(tx: Queryable, tenantId: string, limit: number): Promise<number> {
  await tx.query('reveals-lock', 'SELECT pg_advisory_xact_lock(4715, hashtext($1::uuid::text))', [tenantId]);
  const rows = await tx.query<{ count: number }>(
    'count-reveals',
    `SELECT count(*)::integer AS count
       FROM (SELECT 1 FROM searchable_audit
              WHERE tenant_id = $1 AND purpose = 'reveal' AND outcome = 'allowed' AND at > now() - interval '1 hour'
              LIMIT $2) AS recent`,
    [tenantId, limit],
  );
  return rows[0]?.count ?? 0;
}
