import type { Queryable } from '@glovebox/platform/db/postgres';

import type { JsonObject } from '../values/json-value.ts';
import { orFailUnrecorded } from './audit-log.ts';

export interface ClientKey {
  readonly tenantId: string;
  readonly id: string;
  readonly encoding: 'JWK' | 'PEM';
  /** A JWK: `kty`, `crv`, `x` and `y`. */
  readonly publicKey: JsonObject;
  readonly expiresAt: Date | null;
  readonly expiresAtText: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** A key as the database has it. Nothing of it may be used before it is authenticated (authentic-client-keys.ts). */
export interface StoredClientKey extends ClientKey {
  /** An envelope of the private key. */
  readonly sealedPrivateKey: Buffer;
  /** Null: sealed in format 1, without a tag. */
  readonly tag: Buffer | null;
}

const columns = `
  tenant_id AS "tenantId", id, encoding, public_key AS "publicKey", expires_at AS "expiresAt",
  expires_at_text AS "expiresAtText", created_by AS "createdBy", created_at AS "createdAt",
  sealed_private_key AS "sealedPrivateKey", tag`;
/** An expired key counts as deleted, even before its row is. */
const lives = '(expires_at IS NULL OR expires_at > now())';

/** Counts a tenant's keys; no other key is created for it until the end of the transaction. */
export async function lockAndCountClientKeys(tx: Queryable, tenantId: string): Promise<number> {
  await tx.query('client-keys-lock', 'SELECT pg_advisory_xact_lock(4713, hashtext($1::text))', [tenantId]);
  return countClientKeys(tx, tenantId);
}

export async function countClientKeys(db: Queryable, tenantId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'client-keys-count',
    `SELECT count(*)::integer AS count FROM client_key WHERE tenant_id = $1 AND ${lives}`,
    [tenantId],
  );
  return rows[0]?.count ?? 0;
}

export async function insertClientKey(tx: Queryable, key: StoredClientKey): Promise<void> {
  await tx.query(
    'client-key-insert',
    `INSERT INTO client_key (tenant_id, id, encoding, public_key, sealed_private_key, expires_at, expires_at_text,
                             created_by, created_at, tag)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      key.tenantId,
      key.id,
      key.encoding,
      JSON.stringify(key.publicKey),
      key.sealedPrivateKey,
      key.expiresAt,
      key.expiresAtText,
      key.createdBy,
      key.createdAt,
      key.tag,
    ],
  );
}

export async function selectClientKey(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<StoredClientKey | undefined> {
  const rows = await db.query<StoredClientKey>(
    'client-key-select',
    `SELECT ${columns} FROM client_key WHERE tenant_id = $1 AND id = $2 AND ${lives}`,
    [tenantId, id],
  );
  return rows[0];
}

/** Newest first. */
export function selectClientKeyPage(
  db: Queryable,
  tenantId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<StoredClientKey[]> {
  return db.query<StoredClientKey>(
    'client-keys-page',
    `SELECT ${columns} FROM client_key WHERE tenant_id = $1 AND ${lives}
      ORDER BY created_at DESC, id LIMIT $2 OFFSET $3`,
    [tenantId, size, offset],
  );
}

/** The existing keys among the ids, in no order. */
export function selectClientKeys(
  db: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<StoredClientKey[]> {
  return db.query<StoredClientKey>(
    'client-keys-sealed',
    `SELECT ${columns} FROM client_key WHERE tenant_id = $1 AND id = ANY($2) AND ${lives}`,
    [tenantId, ids],
  );
}

/** Returns whether the key existed. */
export async function deleteClientKey(tx: Queryable, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    'client-key-delete',
    `DELETE FROM client_key WHERE tenant_id = $1 AND id = $2 AND ${lives} RETURNING id`,
    [tenantId, id],
  );
  return rows.length > 0;
}

/** Deletes expired keys, each with an audit row. */
export async function purgeClientKeys(db: Queryable): Promise<void> {
  await orFailUnrecorded(() =>
    db.query(
      'client-keys-purge',
      `WITH removed AS (
         DELETE FROM client_key WHERE expires_at <= now() RETURNING tenant_id, id)
       INSERT INTO audit (tenant_id, operation, outcome, purpose, purpose_id)
       SELECT tenant_id, 'expire_key', 'allowed', 'key', id::text FROM removed`,
    ),
  );
}

/** The tenant's keys that are not sealed under this version yet, locked until the end of the transaction. */
export function lockClientKeys(tx: Queryable, tenantId: string, version: number): Promise<StoredClientKey[]> {
  return tx.query<StoredClientKey>(
    'client-keys-lock-sealed',
    `SELECT ${columns} FROM client_key
      WHERE tenant_id = $1 AND (envelope_key_version(sealed_private_key) >= $2) IS NOT TRUE
      ORDER BY id FOR NO KEY UPDATE`,
    [tenantId, version],
  );
}

export async function replaceSealedClientKey(
  tx: Queryable,
  { tenantId, id, sealedPrivateKey, tag }: StoredClientKey,
): Promise<void> {
  await tx.query(
    'client-key-replace',
    'UPDATE client_key SET sealed_private_key = $3, tag = $4 WHERE tenant_id = $1 AND id = $2',
    [tenantId, id, sealedPrivateKey, tag],
  );
}
