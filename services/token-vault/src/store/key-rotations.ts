import type { Queryable } from '@glovebox/platform/db/postgres';

/** A tenant whose tokens are to be resealed under this version of its data key. */
export interface Rotation {
  readonly tenantId: string;
  readonly version: number;
}

/** Only one rotation runs at a time; the lock lasts until the end of the transaction. */
export async function takeRotationLock(tx: Queryable): Promise<boolean> {
  const rows = await tx.query<{ taken: boolean }>(
    'rotation-lock',
    `SELECT set_config('idle_in_transaction_session_timeout', '0', true),
            pg_try_advisory_xact_lock(4712, 1) AS taken`,
  );
  return rows[0]?.taken === true;
}

/** Without a tenant: only rotations that were started for all tenants. */
export function pendingRotations(db: Queryable, tenantId: string | undefined): Promise<Rotation[]> {
  return db.query<Rotation>(
    'rotations-pending',
    `SELECT tenant_id AS "tenantId", version FROM key_rotation
      WHERE CASE WHEN $1::uuid IS NULL THEN whole ELSE tenant_id = $1 END ORDER BY tenant_id`,
    [tenantId ?? null],
  );
}

/** Stores that each tenant, or one, is to get a next key version. Pending rotations are continued. */
export async function beginRotation(db: Queryable, tenantId: string | undefined): Promise<void> {
  await db.query(
    'rotation-begin',
    `INSERT INTO key_rotation (tenant_id, version, whole)
     SELECT tenant_id, max(version) + 1, $1::uuid IS NULL FROM tenant_key
      WHERE kind = 'data' AND ($1::uuid IS NULL OR tenant_id = $1) GROUP BY tenant_id
     ON CONFLICT (tenant_id) DO UPDATE SET whole = key_rotation.whole OR excluded.whole`,
    [tenantId ?? null],
  );
}

/** Stores that tenants whose newest data key is older are to get a next one. */
export async function beginDueRotations(db: Queryable, maxAgeDays: number): Promise<void> {
  await db.query(
    'rotation-begin-due',
    `INSERT INTO key_rotation (tenant_id, version, whole)
     SELECT tenant_id, max(version) + 1, false FROM tenant_key WHERE kind = 'data' GROUP BY tenant_id
     HAVING max(created_at) < now() - $1 * interval '1 day'
     ON CONFLICT (tenant_id) DO NOTHING`,
    [maxAgeDays],
  );
}

/** Those that were not started for all tenants. */
export function pendingTenantRotations(db: Queryable): Promise<Rotation[]> {
  return db.query<Rotation>(
    'rotations-pending-by-tenant',
    `SELECT tenant_id AS "tenantId", version FROM key_rotation WHERE NOT whole ORDER BY tenant_id`,
  );
}

/** The version under which a tenant's values are being sealed anew; undefined: none are. */
export async function rotationOf(db: Queryable, tenantId: string): Promise<number | undefined> {
  const rows = await db.query<{ version: number }>(
    'rotation-of-tenant',
    'SELECT version FROM key_rotation WHERE tenant_id = $1',
    [tenantId],
  );
  return rows[0]?.version;
}

export async function endRotation(db: Queryable, { tenantId }: Rotation): Promise<void> {
  await db.query('rotation-end', 'DELETE FROM key_rotation WHERE tenant_id = $1', [tenantId]);
}

/** Since the newest key of the pending rotations was created. */
export async function secondsSinceRotation(db: Queryable): Promise<number> {
  const rows = await db.query<{ age: number | null }>(
    'rotation-age',
    `SELECT extract(epoch FROM clock_timestamp() - max(created_at))::float8 AS age
       FROM tenant_key JOIN key_rotation USING (tenant_id, version) WHERE kind = 'data'`,
  );
  return rows[0]?.age ?? 0;
}
