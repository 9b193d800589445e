import type { Queryable } from '@glovebox/platform/db/postgres';

const batchRows = 500;

/** Erases a batch of a tenant's rows. @returns how many; 0 when none is left */
export interface RowEraser {
  /** As the certificate names them. */
  readonly kind: string;
  readonly table: string;
  readonly erase: (tx: Queryable, tenantId: string) => Promise<number>;
}

/**
 * Every table of the vault with rows of tenants, but for `audit` and `tenant_erasure`, which stay, and `tenant_key`,
 * `key_rotation` and `index_rotation`, whose rows go with the keys. Associations first: they are of tokens.
 */
export const rowErasers: readonly RowEraser[] = [
  inBatches('token_associations', 'token_association', 'tenant_id, parent_id, child_id'),
  inBatches('tokens', 'token', 'tenant_id, id'),
  inBatches('client_keys', 'client_key', 'tenant_id, id'),
  inBatches('idempotency_records', 'idempotency_record', 'tenant_id, scope'),
  inBatches('traffic', 'tenant_traffic', 'tenant_id, step, at'),
  inBatches('operation_counts', 'operation_count', 'tenant_id, month, entity_type, operation, purpose'),
  inBatches('token_activity', 'token_activity', 'tenant_id, month, token_id'),
  {
    kind: 'waiting_events',
    table: 'event_outbox',
    // It is short: events wait in it for a moment.
    erase: (tx, tenantId) =>
      countOf(
        tx,
        'erase-waiting-events',
        `WITH erased AS (
           DELETE FROM event_outbox WHERE event::json ->> 'tenant_id' = $1::uuid::text RETURNING 1)
         SELECT count(*)::integer AS count FROM erased`,
        [tenantId],
      ),
  },
];

/** @param key the columns of the primary key, the tenant's id first */
function inBatches(kind: string, table: string, key: string): RowEraser {
  const text = `
    WITH batch AS (SELECT ${key} FROM ${table} WHERE tenant_id = $1 LIMIT $2),
    erased AS (
      DELETE FROM ${table} WHERE tenant_id = $1 AND (${key}) IN (SELECT ${key} FROM batch) RETURNING 1)
    SELECT count(*)::integer AS count FROM erased`;
  return {
    kind,
    table,
    erase: (tx, tenantId) => countOf(tx, `erase-${table}`, text, [tenantId, batchRows]),
  };
}

async function countOf(
  tx: Queryable,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  const rows = await tx.query<{ count: number }>(name, text, values);
  return rows[0]?.count ?? 0;
}
