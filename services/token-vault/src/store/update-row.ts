import type { Queryable } from '@glovebox/platform/db/postgres';

import type { StoredRow } from './token-row.ts';

/** Writes one token; its row must be locked. @param writesData false: the sealed data is unchanged, and not sent again */
export async function updateRow(tx: Queryable, row: StoredRow, writesData: boolean): Promise<void> {
  await tx.query('token-update', statement, [
    row.tenantId,
    row.id,
    row.container,
    writesData ? row.sealedData : null,
    row.mask === null ? null : JSON.stringify(row.mask),
    row.metadata === null ? null : JSON.stringify(row.metadata),
    row.fingerprint,
    row.fingerprintExpression,
    row.searchIndexes,
    row.searchHashes,
    row.encryption === null ? null : JSON.stringify(row.encryption),
    row.expiresAt,
    row.expiresAtText,
    row.cvcExpiresAt,
    row.modifiedBy,
    row.modifiedAt,
    row.revision,
    row.tag,
  ]);
}

const statement = `
  UPDATE token
     SET revision = $17, container = $3, sealed_data = COALESCE($4::bytea, sealed_data), tag = $18,
         mask = $5::json, metadata = $6::jsonb, fingerprint = $7, fingerprint_expression = $8,
         search_indexes = $9::text[], search_hashes = $10::bytea[], encryption = $11::json,
         expires_at = $12, expires_at_text = $13, cvc_expires_at = $14, modified_by = $15, modified_at = $16
   WHERE tenant_id = $1 AND id = $2`;
