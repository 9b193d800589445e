import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { columnsOf, tableOf } from '../fields/table.ts';
import { type TenantRow, tenantFields } from './fields.ts';
import { missingTenant } from './missing-tenant.ts';

export const {
  insert: insertTenant,
  replace: replaceTenant,
  remove: removeTenant,
} = tableOf('tenants', 'tenant', tenantFields);

const columns = columnsOf(tenantFields);

export async function findTenant(db: Queryable, id: string): Promise<TenantRow> {
  const rows = await db.query<TenantRow>('find-tenant', `SELECT ${columns} FROM tenants WHERE id = $1`, [id]);
  return rows[0] ?? missing();
}

/** Those of the tenants that exist, in the order of their names. */
export async function existingTenants(
  db: Queryable,
  ids: readonly string[],
): Promise<readonly Pick<TenantRow, 'id' | 'name'>[]> {
  if (ids.length === 0) return [];
  return db.query<Pick<TenantRow, 'id' | 'name'>>(
    'existing-tenants',
    'SELECT id, name FROM tenants WHERE id = ANY ($1) ORDER BY name, id',
    [ids],
  );
}

/** Locks the row until the transaction ends, so that nothing is created in the tenant meanwhile. */
export async function lockTenant(tx: Queryable, id: string): Promise<TenantRow> {
  const rows = await tx.query<TenantRow>(
    'lock-tenant',
    `SELECT ${columns} FROM tenants WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0] ?? missing();
}

/**
 * Locks the tenant against deletion until the transaction ends, for operations that take other locks before they
 * insert.
 */
export async function holdTenant(tx: Queryable, id: string): Promise<void> {
  const rows = await tx.query('hold-tenant', 'SELECT 1 FROM tenants WHERE id = $1 FOR KEY SHARE', [id]);
  if (rows.length === 0) throw missingTenant();
}

function missing(): never {
  throw new AppError('not_found', 'There is no such tenant.');
}
