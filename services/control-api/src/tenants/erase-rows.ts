import type { Queryable } from '@glovebox/platform/db/postgres';

const batchRows = 500;

/** Erases a batch of a tenant's rows. @returns how many; 0 when none is left */
export interface RowEraser {
  /** As the certificate names them. */
  readonly kind: string;
  readonly erase: (tx: Queryable, tenantId: string) => Promise<number>;
}

/** What does not go with the row of the tenant. `logs` and `tenant_erasure` stay; entries of `outbox` end by being published. */
export const rowErasers: readonly RowEraser[] = [
  inBatches('idempotency_records', 'idempotency_record', 'tenant_id = $1'),
  inBatches('operation_counts', 'operation_count', 'tenant_id = $1'),
  // It is short: events wait in it for a moment.
  inBatches('waiting_events', 'event_outbox', `event::json ->> 'tenant_id' = $1::uuid::text`),
];

function inBatches(kind: string, table: string, condition: string): RowEraser {
  const text = `
    WITH erased AS (
      DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${condition} LIMIT $2 FOR UPDATE) RETURNING 1)
    SELECT count(*)::integer AS count FROM erased`;
  return {
    kind,
    async erase(tx, tenantId) {
      const rows = await tx.query<{ count: number }>(`erase-${table}`, text, [tenantId, batchRows]);
      return rows[0]?.count ?? 0;
    },
  };
}
