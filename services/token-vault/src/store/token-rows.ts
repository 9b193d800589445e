import { type Queryable, constraintOf } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { StoredHead, StoredRow } from './token-row.ts';

export interface TokenKey {
  readonly tenantId: string;
  readonly id: string;
}

export const columns = `
  tenant_id AS "tenantId", id, revision, type, container, mask, metadata, fingerprint,
  fingerprint_expression AS "fingerprintExpression", search_indexes AS "searchIndexes", encryption,
  expires_at AS "expiresAt", expires_at_text AS "expiresAtText",
  cvc_expires_at AS "cvcExpiresAt", created_by AS "createdBy",
  created_at AS "createdAt", modified_by AS "modifiedBy", modified_at AS "modifiedAt",
  search_hashes AS "searchHashes", tag`;

/** The columns of a row without its data. The head has a fixed length (crypto/envelope.ts). */
export const headColumns = `${columns}, substring(sealed_data FROM 1 FOR 17) AS "envelopeHead"`;

/**
 * The existing rows in no order. Ids of several tenants may be mixed.
 * @returns undefined when their sealed data together exceeds `maxBytes`; it is not read then
 */
export async function selectRows(
  db: Queryable,
  keys: readonly TokenKey[],
  maxBytes: number,
): Promise<StoredRow[] | undefined> {
  const rows = await db.query<StoredRow>(
    'tokens-select',
    `SELECT ${columns},
            CASE WHEN sum(octet_length(sealed_data)) OVER () <= $3 THEN sealed_data END AS "sealedData"
       FROM token JOIN unnest($1::uuid[], $2::text[]) AS wanted (tenant_id, id) USING (tenant_id, id)`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id), maxBytes],
    'generic',
  );
  return rows.some(({ sealedData }) => (sealedData as Buffer | null) === null) ? undefined : rows;
}

/** The existing rows without their data, in no order. */
export function selectHeads(db: Queryable, keys: readonly TokenKey[]): Promise<StoredHead[]> {
  return db.query<StoredHead>(
    'tokens-select-heads',
    `SELECT ${headColumns}
       FROM token JOIN unnest($1::uuid[], $2::text[]) AS wanted (tenant_id, id) USING (tenant_id, id)`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)],
    'generic',
  );
}

/** One token without its data, locked until the end of the transaction. */
export async function lockRow(tx: Queryable, key: TokenKey): Promise<StoredHead | undefined> {
  const rows = await tx.query<StoredHead>(
    'token-lock',
    `SELECT ${headColumns} FROM token WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [key.tenantId, key.id],
  );
  return rows[0];
}

export async function deleteRow(tx: Queryable, key: TokenKey): Promise<void> {
  await tx.query('token-delete', 'DELETE FROM token WHERE tenant_id = $1 AND id = $2', [
    key.tenantId,
    key.id,
  ]);
}

export type NewToken = Omit<StoredRow, 'modifiedBy' | 'modifiedAt'>;

/** Inserts all or none. @throws AppError `conflict` when an id is taken */
export async function insertRows(tx: Queryable, tokens: readonly NewToken[]): Promise<void> {
  try {
    await tx.query('tokens-insert', insertion, [JSON.stringify(tokens.map(documentOf))]);
  } catch (error) {
    if (constraintOf(error) !== 'token_pkey') throw error;
    throw new AppError('conflict', 'A token with this id exists already.', { cause: error });
  }
}

const insertion = `
  INSERT INTO token (tenant_id, id, revision, type, container, sealed_data, mask, metadata, fingerprint, fingerprint_expression,
                     search_indexes, search_hashes, encryption, expires_at, expires_at_text, cvc_expires_at, created_by,
                     created_at, tag)
  SELECT tenant_id, id, revision, type, container, decode(sealed_data, 'base64'), mask, metadata, fingerprint,
         fingerprint_expression, search_indexes,
         ARRAY(SELECT decode(hash, 'base64') FROM unnest(search_hashes) AS hash),
         encryption, expires_at, expires_at_text, cvc_expires_at, created_by, created_at, decode(tag, 'base64')
    FROM json_to_recordset($1::json) AS new (
         tenant_id uuid, id text, revision bigint, type text, container text, sealed_data text, mask json, metadata jsonb,
         fingerprint text, fingerprint_expression text, search_indexes text[], search_hashes text[], encryption json,
         expires_at timestamptz, expires_at_text text, cvc_expires_at timestamptz, created_by uuid,
         created_at timestamptz, tag text)`;

function documentOf(token: NewToken): object {
  return {
    tenant_id: token.tenantId,
    id: token.id,
    revision: token.revision,
    type: token.type,
    container: token.container,
    sealed_data: token.sealedData.toString('base64'),
    mask: token.mask,
    metadata: token.metadata,
    fingerprint: token.fingerprint,
    fingerprint_expression: token.fingerprintExpression,
    search_indexes: token.searchIndexes,
    search_hashes: token.searchHashes.map((hash) => hash.toString('base64')),
    encryption: token.encryption,
    expires_at: token.expiresAt,
    expires_at_text: token.expiresAtText,
    cvc_expires_at: token.cvcExpiresAt,
    created_by: token.createdBy,
    created_at: token.createdAt,
    tag: token.tag?.toString('base64'),
  };
}
