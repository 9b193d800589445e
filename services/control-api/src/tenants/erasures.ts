import type { Queryable } from '@glovebox/platform/db/postgres';

export type Certificate = Readonly<Record<string, unknown>>;

export interface NewErasure {
  readonly tenantId: string;
  /** Null: an operator. */
  readonly requestedBy: string | null;
  readonly applicationIds: readonly string[];
  /** Of proxies and reactors. */
  readonly ownerIds: readonly string[];
  /** How many rows of which kind were erased with the tenant. */
  readonly erased: Readonly<Record<string, number>>;
}

export interface Erasure extends NewErasure {
  readonly requestedAt: Date;
  /** Null: something may be left in this service. */
  readonly endedAt: Date | null;
  readonly certificate: Certificate | null;
}

const columns = `tenant_id AS "tenantId", requested_by AS "requestedBy", requested_at AS "requestedAt",
  application_ids AS "applicationIds", owner_ids AS "ownerIds", erased, ended_at AS "endedAt", certificate`;

/** With the deletion of the tenant, in its transaction. */
export async function insertErasure(
  tx: Queryable,
  { tenantId, requestedBy, applicationIds, ownerIds, erased }: NewErasure,
): Promise<void> {
  await tx.query(
    'erasure-insert',
    `INSERT INTO tenant_erasure (tenant_id, requested_by, application_ids, owner_ids, erased)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [tenantId, requestedBy, applicationIds, ownerIds, JSON.stringify(erased)],
  );
}

export async function findErasure(db: Queryable, tenantId: string): Promise<Erasure | undefined> {
  const rows = await db.query<Erasure>(
    'erasure-find',
    `SELECT ${columns} FROM tenant_erasure WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

/** Those that a person has asked for, the newest first. @param db across all tenants */
export function erasuresBy(db: Queryable, userId: string): Promise<Erasure[]> {
  return db.query<Erasure>(
    'erasures-by',
    `SELECT ${columns} FROM tenant_erasure WHERE requested_by = $1 ORDER BY requested_at DESC LIMIT 100`,
    [userId],
  );
}

/** Without a certificate, the oldest first. */
export function unfinishedErasures(db: Queryable): Promise<Erasure[]> {
  return db.query<Erasure>(
    'erasures-unfinished',
    `SELECT ${columns} FROM tenant_erasure WHERE certificate IS NULL ORDER BY requested_at`,
  );
}

/** Locks an erasure until the end of the transaction. @returns false when another process has the lock, or nothing is left */
export async function lockUnended(tx: Queryable, tenantId: string): Promise<boolean> {
  const rows = await tx.query(
    'erasure-lock-unended',
    'SELECT 1 FROM tenant_erasure WHERE tenant_id = $1 AND ended_at IS NULL FOR UPDATE SKIP LOCKED',
    [tenantId],
  );
  return rows.length > 0;
}

/** Adds to the counts of erased rows. */
export async function addErased(tx: Queryable, tenantId: string, kind: string, count: number): Promise<void> {
  await tx.query(
    'erasure-count',
    `UPDATE tenant_erasure
        SET erased = erased || jsonb_build_object($2::text, coalesce((erased ->> $2)::bigint, 0) + $3)
      WHERE tenant_id = $1`,
    [tenantId, kind, count],
  );
}

/** Notes that nothing is left, unless a request that had begun before may have written since. */
export async function endErasure(db: Queryable, tenantId: string, settleMs: number): Promise<void> {
  await db.query(
    'erasure-end',
    `UPDATE tenant_erasure SET ended_at = now()
      WHERE tenant_id = $1 AND ended_at IS NULL AND requested_at < now() - $2 * interval '1 millisecond'`,
    [tenantId, settleMs],
  );
}

export async function keepCertificate(
  db: Queryable,
  tenantId: string,
  certificate: Certificate,
): Promise<void> {
  await db.query(
    'erasure-certify',
    'UPDATE tenant_erasure SET certificate = $2 WHERE tenant_id = $1 AND certificate IS NULL',
    [tenantId, JSON.stringify(certificate)],
  );
}

/** Whether a tenant was deleted by a version of this service that left the vault's part as it was. */
export async function wasDeletedBefore(db: Queryable, tenantId: string): Promise<boolean> {
  const rows = await db.query(
    'tenant-was-deleted',
    `SELECT 1 FROM logs WHERE tenant_id = $1 AND entity_type = 'tenant' AND operation = 'delete' LIMIT 1`,
    [tenantId],
  );
  return rows.length > 0;
}
