import type { Queryable } from '@glovebox/platform/db/postgres';

import type { StoredSigningKey } from '../crypto/audit-signing-key.ts';

export interface NumberedSigningKey extends StoredSigningKey {
  readonly number: number;
  readonly createdAt: Date;
}

/** The newest first: that one signs. */
export function readSigningKeys(db: Queryable): Promise<NumberedSigningKey[]> {
  return db.query<NumberedSigningKey>(
    'audit-signing-keys',
    `SELECT number, fingerprint, key_id AS "keyId", wrapped, created_at AS "createdAt"
       FROM audit_signing_key ORDER BY number DESC`,
  );
}

/** Of several that insert the same number at once, one succeeds. @returns whether this one did */
export async function insertSigningKey(
  db: Queryable,
  number: number,
  { fingerprint, keyId, wrapped }: StoredSigningKey,
): Promise<boolean> {
  const rows = await db.query<{ number: number }>(
    'audit-signing-key-insert',
    `INSERT INTO audit_signing_key (number, fingerprint, key_id, wrapped) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING number`,
    [number, fingerprint, keyId, wrapped],
  );
  return rows.length > 0;
}

export async function replaceSigningKey(
  db: Queryable,
  { fingerprint, keyId, wrapped }: StoredSigningKey,
): Promise<void> {
  await db.query(
    'audit-signing-key-replace',
    'UPDATE audit_signing_key SET key_id = $2, wrapped = $3 WHERE fingerprint = $1',
    [fingerprint, keyId, wrapped],
  );
}
