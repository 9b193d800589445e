import type { Queryable } from '@glovebox/platform/db/postgres';

import { orFailUnrecorded } from './audit-log.ts';
import type { StoredRow } from './token-row.ts';
import { columns } from './token-rows.ts';

/** A card whose security code has expired. */
export interface DueCard extends StoredRow {
  /** As text from Postgres, with microseconds. */
  readonly dueAt: string;
}

/** A card without its security code. */
export interface ReplacedCard {
  readonly row: StoredRow;
  /** False: it held no security code, and nothing but `cvc_expires_at` changes. */
  readonly changesData: boolean;
}

/** Tokens of other types have no security code to expire. Only vaults from before tags have written such a row. */
export async function forgetOtherTypes(db: Queryable, cardTypes: readonly string[]): Promise<void> {
  const batchSize = 1000;
  for (;;) {
    const rows = await db.query<{ count: number }>(
      'security-codes-forget',
      `WITH due AS (
         SELECT tenant_id, id FROM token
          WHERE cvc_expires_at <= now() AND type <> ALL($2::text[]) AND tag IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED),
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
    `SELECT ${columns}, sealed_data AS "sealedData", cvc_expires_at::text AS "dueAt"
       FROM token
      WHERE cvc_expires_at <= now() AND type = ANY($5::text[])
        AND ($2::timestamptz IS NULL OR (cvc_expires_at, tenant_id, id) > ($2, $3::uuid, $4::text))
      ORDER BY cvc_expires_at, tenant_id, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [count, after?.dueAt ?? null, after?.tenantId ?? null, after?.id ?? null, cardTypes],
  );
}

/** Writes the cards, with an audit row for each whose data has changed. */
export async function replaceCards(tx: Queryable, replaced: readonly ReplacedCard[]): Promise<void> {
  if (replaced.length === 0) return;
  const documents = replaced.map(({ row, changesData }) => ({
    tenant_id: row.tenantId,
    id: row.id,
    revision: row.revision,
    sealed_data: changesData ? row.sealedData.toString('base64') : null,
    search_hashes: row.searchHashes.map((hash) => hash.toString('base64')),
    tag: row.tag?.toString('base64'),
  }));
  await orFailUnrecorded(() => tx.query('security-codes-replace', replacement, [JSON.stringify(documents)]));
}

const replacement = `
  WITH replaced AS (
    UPDATE token
       SET revision = new.revision, cvc_expires_at = NULL, tag = decode(new.tag, 'base64'),
           sealed_data = COALESCE(decode(new.sealed_data, 'base64'), token.sealed_data),
           search_hashes = ARRAY(SELECT decode(hash, 'base64') FROM unnest(new.search_hashes) AS hash)
      FROM json_to_recordset($1::json)
        AS new (tenant_id uuid, id text, revision bigint, sealed_data text, search_hashes text[], tag text)
     WHERE token.tenant_id = new.tenant_id AND token.id = new.id
    RETURNING token.tenant_id, token.id, token.revision, new.sealed_data IS NOT NULL AS changed)
  INSERT INTO audit (tenant_id, operation, token_id, outcome, purpose, revision)
  SELECT tenant_id, 'update', id, 'allowed', 'cvc_expired', revision FROM replaced WHERE changed`;
