import type { Queryable } from '@glovebox/platform/db/postgres';

/** A key of an erased tenant, as its certificate names it. */
export interface DestroyedKey {
  readonly kind: string;
  readonly version: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** The key-encryption keys that have wrapped it, the last one last; `unknown`: what was before version 0.3. */
  readonly wrapped_by: readonly string[];
}

export interface ErasureRequest {
  readonly tenantId: string;
  /** Null: an operator. */
  readonly requestedBy: string | null;
  readonly requestedAt: Date;
  readonly applicationIds: readonly string[];
}

/** An erasure from the destruction of the keys on. */
export interface Erasure extends ErasureRequest {
  readonly keysDestroyedAt: Date;
  readonly destroyedKeys: readonly DestroyedKey[];
  /** How many rows of which kind were erased so far. */
  readonly erased: Readonly<Record<string, number>>;
  readonly rowsErasedAt: Date | null;
  /** Null until nothing of the tenant is left. */
  readonly certificate: Readonly<Record<string, unknown>> | null;
}

const columns = `tenant_id AS "tenantId", requested_by AS "requestedBy", requested_at AS "requestedAt",
  keys_destroyed_at AS "keysDestroyedAt", destroyed_keys AS "destroyedKeys", application_ids AS "applicationIds",
  erased, rows_erased_at AS "rowsErasedAt", certificate`;

export async function findErasure(db: Queryable, tenantId: string): Promise<Erasure | undefined> {
  const rows = await db.query<Erasure>(
    'erasure-find',
    `SELECT ${columns} FROM tenant_erasure WHERE tenant_id = $1`,
    [tenantId],
  );
  return rows[0];
}

/** All erasures, the latest first. */
export function listErasures(db: Queryable): Promise<Erasure[]> {
  return db.query<Erasure>(
    'erasures-list',
    `SELECT ${columns} FROM tenant_erasure ORDER BY keys_destroyed_at DESC, tenant_id`,
  );
}

/** Which of these tenants have any key. */
export async function tenantsWithKeys(db: Queryable, tenantIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ tenantId: string }>(
    'erasures-with-keys',
    `SELECT DISTINCT tenant_id AS "tenantId" FROM tenant_key WHERE tenant_id = ANY($1::uuid[])`,
    [tenantIds],
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Until the end of the transaction no key of the tenant is added, and no other process erases it. */
export async function lockTenantKeys(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('erasure-lock', 'SELECT pg_advisory_xact_lock(4714, hashtext($1::uuid::text))', [tenantId]);
}

/** Deletes all keys of the tenant and keeps which ones they were. */
export async function destroyKeys(
  tx: Queryable,
  { tenantId, requestedBy, requestedAt, applicationIds }: ErasureRequest,
): Promise<void> {
  await tx.query(
    'erasure-destroy-keys',
    `WITH destroyed AS (
       DELETE FROM tenant_key WHERE tenant_id = $1 RETURNING kind, version, created_at, earlier_key_ids || key_id AS wrapped_by),
     rotation AS (DELETE FROM key_rotation WHERE tenant_id = $1),
     of_index AS (DELETE FROM index_rotation WHERE tenant_id = $1)
     INSERT INTO tenant_erasure (tenant_id, requested_by, requested_at, application_ids, keys_destroyed_at,
                                 destroyed_keys)
     SELECT $1, $2, $3, $4, clock_timestamp(),
            coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'version', version, 'created_at', created_at,
                                                  'wrapped_by', wrapped_by) ORDER BY kind, version), '[]')
       FROM destroyed`,
    [tenantId, requestedBy, requestedAt, applicationIds],
  );
}

/** Far longer than a vault may go on without looking, and than a transaction takes to commit. */
const recentFor = `interval '3 minutes'`;

/** Tenants whose keys were destroyed lately. */
export async function recentlyErased(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ tenantId: string }>(
    'erasures-recent',
    `SELECT tenant_id AS "tenantId" FROM tenant_erasure WHERE keys_destroyed_at > now() - ${recentFor}`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Tenants whose rows are still to be erased, the oldest first. */
export async function unfinishedErasures(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ tenantId: string }>(
    'erasures-unfinished',
    `SELECT tenant_id AS "tenantId" FROM tenant_erasure WHERE rows_erased_at IS NULL ORDER BY keys_destroyed_at`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** @returns false when another vault holds it, or its rows are erased already */
export async function lockUnfinished(tx: Queryable, tenantId: string): Promise<boolean> {
  const rows = await tx.query(
    'erasure-lock-unfinished',
    `SELECT 1 FROM tenant_erasure WHERE tenant_id = $1 AND rows_erased_at IS NULL FOR UPDATE SKIP LOCKED`,
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

/** Notes that no row is left, unless a vault may have written one since: keys were known for that long. */
export async function endOfRows(db: Queryable, tenantId: string, settleMs: number): Promise<void> {
  await db.query(
    'erasure-rows-end',
    `UPDATE tenant_erasure SET rows_erased_at = now()
      WHERE tenant_id = $1 AND rows_erased_at IS NULL AND keys_destroyed_at < now() - $2 * interval '1 millisecond'`,
    [tenantId, settleMs],
  );
}

/** Of several certificates for a tenant the first one stays. */
export async function keepCertificate(db: Queryable, tenantId: string, certificate: object): Promise<void> {
  await db.query(
    'erasure-certify',
    'UPDATE tenant_erasure SET certificate = $2 WHERE tenant_id = $1 AND certificate IS NULL',
    [tenantId, JSON.stringify(certificate)],
  );
}

/** How many erasures wait for their certificate, and for how long the oldest has. */
export async function waitingErasures(db: Queryable): Promise<number> {
  const rows = await db.query<{ age: number | null }>(
    'erasures-waiting',
    `SELECT extract(epoch FROM now() - min(requested_at))::float8 AS age
       FROM tenant_erasure WHERE certificate IS NULL`,
  );
  return rows[0]?.age ?? 0;
}
