import type { Queryable } from '@glovebox/platform/db/postgres';

import type { StoredRow } from './token-row.ts';
import { columns } from './token-rows.ts';

export interface SealedToken {
  readonly id: string;
  readonly length: number;
  /** The version of the data key; null: not an envelope. */
  readonly version: string | null;
}

const pageSize = 1000;

/** The tenant's next tokens that have no tag, in order of their ids. */
export function readUntaggedPage(db: Queryable, tenantId: string, after: string): Promise<SealedToken[]> {
  return db.query<SealedToken>(
    'untagged-page',
    `SELECT id, octet_length(sealed_data) AS length, envelope_key_version(sealed_data) AS version
       FROM token WHERE tenant_id = $1 AND id > $2 AND tag IS NULL ORDER BY id LIMIT $3`,
    [tenantId, after, pageSize],
  );
}

/** The tenant's next tokens in order of their ids. */
export function readSealedPage(db: Queryable, tenantId: string, after: string): Promise<SealedToken[]> {
  return db.query<SealedToken>(
    'sealed-page',
    `SELECT id, octet_length(sealed_data) AS length, envelope_key_version(sealed_data) AS version
       FROM token WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    [tenantId, after, pageSize],
  );
}

/** The tokens that still exist, locked until the end of the transaction. */
export function lockSealed(tx: Queryable, tenantId: string, ids: readonly string[]): Promise<StoredRow[]> {
  return tx.query<StoredRow>(
    'sealed-lock',
    `SELECT ${columns}, sealed_data AS "sealedData" FROM token
      WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE`,
    [tenantId, ids],
  );
}

/** The data stays the same, and so does the revision: a row that is still in a cache opens under its earlier key. */
export async function replaceSealed(
  tx: Queryable,
  tenantId: string,
  tokens: readonly Pick<StoredRow, 'id' | 'sealedData' | 'tag'>[],
): Promise<void> {
  if (tokens.length === 0) return;
  const documents = tokens.map(({ id, sealedData, tag }) => ({
    id,
    sealed_data: sealedData.toString('base64'),
    tag: tag?.toString('base64'),
  }));
  await tx.query(
    'sealed-replace',
    `UPDATE token SET sealed_data = decode(new.sealed_data, 'base64'), tag = decode(new.tag, 'base64')
       FROM json_to_recordset($2::json) AS new (id text, sealed_data text, tag text)
      WHERE token.tenant_id = $1 AND token.id = new.id`,
    [tenantId, JSON.stringify(documents)],
  );
}
