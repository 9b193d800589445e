import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { missingTenant } from '../store/missing-tenant.ts';
import type { TenantRow } from './tenant.ts';

const columns = `id, owner_id, name, settings, version, created_by, created_at, modified_by, modified_at`;

export async function findTenant(db: Queryable, id: string): Promise<TenantRow> {
  const rows = await db.query<TenantRow>('find-tenant', `SELECT ${columns} FROM tenants WHERE id = $1`, [id]);
  return rows[0] ?? missing();
}

/** Holds the row until the transaction ends, so that nothing of the tenant's is created meanwhile. */
export async function lockTenant(tx: Queryable, id: string): Promise<TenantRow> {
  const rows = await tx.query<TenantRow>(
    'lock-tenant',
    `SELECT ${columns} FROM tenants WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0] ?? missing();
}

/** Has the tenant stay until the transaction ends; for what takes other locks before it creates something. */
export async function holdTenant(tx: Queryable, id: string): Promise<void> {
  const rows = await tx.query('hold-tenant', 'SELECT 1 FROM tenants WHERE id = $1 FOR KEY SHARE', [id]);
  if (rows.length === 0) throw missingTenant();
}

export async function insertTenant(tx: Queryable, row: TenantRow): Promise<void> {
  await tx.query(
    'insert-tenant',
    `INSERT INTO tenants (id, owner_id, name, settings, version, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      row.id,
      row.owner_id,
      row.name,
      JSON.stringify(row.settings),
      row.version,
      row.created_by,
      row.created_at,
    ],
  );
}

export async function replaceTenant(tx: Queryable, row: TenantRow): Promise<void> {
  await tx.query(
    'replace-tenant',
    `UPDATE tenants SET name = $2, settings = $3, version = $4, modified_by = $5, modified_at = $6 WHERE id = $1`,
    [row.id, row.name, JSON.stringify(row.settings), row.version, row.modified_by, row.modified_at],
  );
}

/** With all that is the tenant's. */
export async function removeTenant(tx: Queryable, id: string): Promise<void> {
  await tx.query('remove-tenant', 'DELETE FROM tenants WHERE id = $1', [id]);
}

function missing(): never {
  throw new AppError('not_found', 'There is no such tenant.');
}
