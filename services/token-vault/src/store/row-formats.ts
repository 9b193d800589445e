import type { Queryable } from '@glovebox/platform/db/postgres';

import type { KeyKind, StoredDek } from '../crypto/dek-store.ts';

/** Tenants with a data key that still accepts rows without a tag, once there is a key that does not. */
export async function tenantsToTag(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ tenantId: string }>(
    'tenants-to-tag',
    `SELECT DISTINCT tenant_id AS "tenantId" FROM tenant_key
      WHERE kind = 'data' AND row_format = 1 AND EXISTS (SELECT 1 FROM tenant_key WHERE row_format = 2)
      ORDER BY tenant_id`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Tenants whose new rows get no tag. */
export async function tenantsWithoutTags(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ tenantId: string }>(
    'tenants-without-tags',
    `SELECT tenant_id AS "tenantId" FROM tenant_key WHERE kind = 'data'
      GROUP BY tenant_id HAVING max(row_format) = 1 ORDER BY tenant_id`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** A tenant's data keys that accept rows without a tag. */
export function keysWithoutTags(db: Queryable, tenantId: string): Promise<StoredDek[]> {
  return db.query<StoredDek>(
    'keys-without-tags',
    `SELECT tenant_id AS "tenantId", kind, version, key_id AS "keyId", wrapped, row_format AS "rowFormat"
       FROM tenant_key WHERE tenant_id = $1 AND kind = 'data' AND row_format = 1 ORDER BY version`,
    [tenantId],
  );
}

/** Stores a key that was wrapped anew for format 2, unless it was rewrapped meanwhile. */
export async function requireTags(db: Queryable, before: StoredDek, after: StoredDek): Promise<void> {
  await db.query(
    'key-require-tags',
    `UPDATE tenant_key SET key_id = $5, wrapped = $6, row_format = 2
      WHERE tenant_id = $1 AND kind = $2 AND version = $3 AND wrapped = $4`,
    [before.tenantId, before.kind, before.version, before.wrapped, after.keyId, after.wrapped],
  );
}

/** Since a key was created, in milliseconds. */
export async function ageOfKey(
  db: Queryable,
  tenantId: string,
  version: number,
  kind: KeyKind = 'data',
): Promise<number> {
  const rows = await db.query<{ age: number }>(
    'key-age',
    `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 AS age
       FROM tenant_key WHERE tenant_id = $1 AND kind = $3 AND version = $2`,
    [tenantId, version, kind],
  );
  return rows[0]?.age ?? 0;
}

/** Tokens without a tag, counted up to a limit. */
export async function countUntagged(db: Queryable, most: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'untagged-count',
    'SELECT count(*)::integer AS count FROM (SELECT 1 FROM token WHERE tag IS NULL LIMIT $1) AS untagged',
    [most],
  );
  return rows[0]?.count ?? 0;
}

export async function countUntaggedClientKeys(db: Queryable): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'untagged-client-keys-count',
    'SELECT count(*)::integer AS count FROM client_key WHERE tag IS NULL',
  );
  return rows[0]?.count ?? 0;
}
