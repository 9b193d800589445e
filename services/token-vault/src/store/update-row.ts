import type { Queryable } from '@glovebox/platform/db/postgres';

import type { TokenRow } from './token-row.ts';
import type { TokenKey } from './token-rows.ts';

/** The new values of a token; null data and hashes stay unchanged. */
export interface TokenChange
  extends
    TokenKey,
    Pick<
      TokenRow,
      | 'container'
      | 'mask'
      | 'metadata'
      | 'fingerprint'
      | 'fingerprintExpression'
      | 'searchIndexes'
      | 'encryption'
      | 'expiresAt'
      | 'expiresAtText'
      | 'cvcExpiresAt'
      | 'modifiedBy'
      | 'modifiedAt'
    > {
  readonly sealedData: Buffer | null;
  readonly searchHashes: readonly Buffer[] | null;
}

/** Writes one token; its row must be locked. */
export async function updateRow(tx: Queryable, change: TokenChange): Promise<void> {
  await tx.query('token-update', statement, [
    change.tenantId,
    change.id,
    change.container,
    change.sealedData,
    change.mask === null ? null : JSON.stringify(change.mask),
    change.metadata === null ? null : JSON.stringify(change.metadata),
    change.fingerprint,
    change.fingerprintExpression,
    change.searchIndexes,
    change.searchHashes,
    change.encryption === null ? null : JSON.stringify(change.encryption),
    change.expiresAt,
    change.expiresAtText,
    change.cvcExpiresAt,
    change.modifiedBy,
    change.modifiedAt,
  ]);
}

const statement = `
  UPDATE token
     SET revision = nextval('token_revision'), container = $3, sealed_data = COALESCE($4::bytea, sealed_data),
         mask = $5::json, metadata = $6::jsonb, fingerprint = $7, fingerprint_expression = $8,
         search_indexes = $9::text[], search_hashes = COALESCE($10::bytea[], search_hashes), encryption = $11::json,
         expires_at = $12, expires_at_text = $13, cvc_expires_at = $14, modified_by = $15, modified_at = $16
   WHERE tenant_id = $1 AND id = $2`;
