import type { Queryable } from '@glovebox/platform/db/postgres';

import type { WrappedKey } from '../crypto/key-provider.ts';

export async function readAuditKey(db: Queryable): Promise<WrappedKey | undefined> {
  const rows = await db.query<WrappedKey>(
    'audit-key-get',
    'SELECT key_id AS "keyId", wrapped FROM audit_key',
  );
  return rows[0];
}

/** Of several vaults that create the first key at once, one succeeds. */
export async function insertAuditKey(db: Queryable, { keyId, wrapped }: WrappedKey): Promise<void> {
  await db.query(
    'audit-key-insert',
    'INSERT INTO audit_key (key_id, wrapped) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [keyId, wrapped],
  );
}

export async function replaceAuditKey(db: Queryable, { keyId, wrapped }: WrappedKey): Promise<void> {
  await db.query('audit-key-replace', 'UPDATE audit_key SET key_id = $1, wrapped = $2', [keyId, wrapped]);
}
