import type { Queryable } from '@glovebox/platform/db/postgres';

/** A token as the audit log knows it last, and as it is. */
export interface KnownToken {
  readonly tenantId: string;
  readonly tokenId: string;
  /** What made this revision: `delete` for a token that should be gone. */
  readonly operation: string;
  readonly revision: string;
  /** Null: there is no such row. */
  readonly found: string | null;
  /** Written by a vault from before revisions were recorded: then the log may not know its last one. */
  readonly untagged: boolean;
  /** The log names this revision twice: no vault does that. */
  readonly repeated: boolean;
  /** Deleted since, also by such a vault. */
  readonly deleted: boolean;
}

/** The next tokens whose revisions are in the log, each compared with its row in one snapshot; none of erased tenants. */
export function readKnownTokens(
  db: Queryable,
  after: Pick<KnownToken, 'tenantId' | 'tokenId'>,
  limit: number,
): Promise<KnownToken[]> {
  return db.query<KnownToken>(
    'audit-known-tokens',
    `SELECT known.tenant_id AS "tenantId", token_id AS "tokenId", operation, known.revision, token.revision AS found,
            token.id IS NOT NULL AND token.tag IS NULL AS untagged,
            operation <> 'delete' AND EXISTS (
              SELECT 1 FROM audit AS earlier
               WHERE earlier.tenant_id = known.tenant_id AND earlier.token_id = known.token_id
                 AND earlier.revision = known.revision AND earlier.id < known.id) AS repeated,
            token.id IS NULL AND EXISTS (
              SELECT 1 FROM audit AS later
               WHERE later.tenant_id = known.tenant_id AND later.token_id = known.token_id
                 AND later.operation = 'delete' AND later.outcome = 'allowed' AND later.id >= known.id) AS deleted
       FROM (SELECT DISTINCT ON (tenant_id, token_id) id, tenant_id, token_id, operation, revision
               FROM audit WHERE revision IS NOT NULL AND (tenant_id, token_id) > ($1::uuid, $2::text)
                AND tenant_id NOT IN (SELECT tenant_id FROM tenant_erasure)
              ORDER BY tenant_id, token_id, id DESC LIMIT $3) AS known
       LEFT JOIN token ON token.tenant_id = known.tenant_id AND token.id = known.token_id
      ORDER BY known.tenant_id, token_id`,
    [after.tenantId, after.tokenId, limit],
  );
}
