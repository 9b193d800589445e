import type { Client } from 'pg';

/** What of a database keeps a distributed Postgres from spreading rows by tenant. */
export interface NotLed {
  /** Primary keys, unique indexes and foreign keys that do not begin with the tenant, and references across the two kinds of tables. */
  readonly names: readonly string[];
  /** The tables with rows of tenants. */
  readonly tables: readonly string[];
}

/**
 * Looks at all tables with a column `tenant_id`; of `tenants`, the id is the tenant. What belongs to a partition follows from its
 * table.
 */
export async function findNotLed(client: Client): Promise<NotLed> {
  const { rows } = await client.query<{ name: string }>(`
    WITH tenant AS (
      SELECT c.oid, a.attnum FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND attname = CASE relname WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END)
    SELECT indexrelid::regclass::text AS name FROM pg_index JOIN tenant ON indrelid = oid
     WHERE indisunique AND indkey[0] <> attnum
    UNION ALL
    SELECT conname FROM pg_constraint f LEFT JOIN tenant own ON own.oid = conrelid LEFT JOIN tenant other ON other.oid = confrelid
     WHERE contype = 'f' AND conparentid = 0 AND (own.oid IS NOT NULL OR other.oid IS NOT NULL)
       AND (own.attnum IS DISTINCT FROM conkey[1] OR other.attnum IS DISTINCT FROM confkey[1])
     ORDER BY 1`);
  const tables = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class c
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id') ORDER BY 1`);
  return { names: rows.map(({ name }) => name), tables: tables.rows.map(({ name }) => name) };
}
