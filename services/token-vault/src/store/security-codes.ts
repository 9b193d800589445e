import type { Queryable } from '@glovebox/platform/db/postgres';

import { orFailUnrecorded } from './audit-log.ts';
import type { TokenKey } from './token-rows.ts';

/** A card whose security code has expired. */
export interface DueCard extends TokenKey {
  readonly type: string;
  readonly sealedData: Buffer;
  readonly searchIndexes: readonly string[];
  /** As text from Postgres, with microseconds. */
  readonly dueAt: string;
}

/** The new data of a card; null: it held no security code and stays. */
export interface ReplacedData extends TokenKey {
  readonly sealedData: Buffer | null;
  readonly searchHashes: readonly Buffer[] | null;
}

/** Tokens of other types have no security code to expire. */
export async function forgetOtherTypes(db: Queryable, cardTypes: readonly string[]): Promise<void> {
  const batchSize = 1000;
  for (;;) {
    const rows = await db.query<{ count: number }>(
      'security-codes-forget',
      `WITH due AS (
         SELECT tenant_id, id FROM token
          WHERE cvc_expires_at <= now() AND type <> ALL($2::text[]) LIMIT $1 FOR UPDATE SKIP LOCKED),
       looked_at AS (
         UPDATE token SET cvc_expires_at = NULL FROM due
          WHERE token.tenant_id = due.tenant_id AND token.id = due.id RETURNING 1)
       SELECT count(*)::integer AS count FROM looked_at`,
      [batchSize, cardTypes],
    );
    if ((rows[0]?.count ?? 0) < batchSize) return;
  }
}

/** The next due cards that no other vault has locked. */
export function lockDueCards(
  tx: Queryable,
  cardTypes: readonly string[],
  count: number,
  after: DueCard | undefined,
): Promise<DueCard[]> {
  return tx.query<DueCard>(
    'security-codes-lock',
    `SELECT tenant_id AS "tenantId", id, type, sealed_data AS "sealedData", search_indexes AS "searchIndexes",
            cvc_expires_at::text AS "dueAt"
       FROM token
      WHERE cvc_expires_at <= now() AND type = ANY($5::text[])
        AND ($2::timestamptz IS NULL OR (cvc_expires_at, tenant_id, id) > ($2, $3::uuid, $4::text))
      ORDER BY cvc_expires_at, tenant_id, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [count, after?.dueAt ?? null, after?.tenantId ?? null, after?.id ?? null, cardTypes],
  );
}

/** Writes the new data, with an audit row for each card that has changed. */
export async function replaceData(tx: Queryable, replaced: readonly ReplacedData[]): Promise<void> {
  if (replaced.length === 0) return;
  const documents = replaced.map(({ tenantId, id, sealedData, searchHashes }) => ({
    tenant_id: tenantId,
    id,
    sealed_data: sealedData?.toString('base64'),
    search_hashes: searchHashes?.map((hash) => hash.toString('base64')),
  }));
  await orFailUnrecorded(() => tx.query('security-codes-replace', replacement, [JSON.stringify(documents)]));
}

const replacement = `
  WITH replaced AS (
    UPDATE token
       SET revision = nextval('token_revision'), cvc_expires_at = NULL,
           sealed_data = COALESCE(decode(new.sealed_data, 'base64'), token.sealed_data),
           search_hashes = CASE WHEN new.search_hashes IS NULL THEN token.search_hashes
                                ELSE ARRAY(SELECT decode(hash, 'base64') FROM unnest(new.search_hashes) AS hash) END
      FROM json_to_recordset($1::json) AS new (tenant_id uuid, id text, sealed_data text, search_hashes text[])
     WHERE token.tenant_id = new.tenant_id AND token.id = new.id
    RETURNING token.tenant_id, token.id, new.sealed_data IS NOT NULL AS changed)
  INSERT INTO audit (tenant_id, operation, token_id, outcome, purpose)
  SELECT tenant_id, 'update', id, 'allowed', 'cvc_expired' FROM replaced WHERE changed`;
