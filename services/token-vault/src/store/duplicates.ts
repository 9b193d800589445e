import type { Queryable } from '@glovebox/platform/db/postgres';

import { isIntent } from '../values/token-intent-id.ts';
import type { TokenKey } from './token-rows.ts';

/**
 * Makes concurrent requests for one of these fingerprints wait until the transaction ends, so that the second finds
 * the token of the first. The fixed order prevents deadlocks.
 */
export async function lockFingerprints(
  tx: Queryable,
  tenantId: string,
  fingerprints: readonly string[],
): Promise<void> {
  await tx.query(
    'fingerprints-lock',
    `SELECT pg_advisory_xact_lock(name)
       FROM (SELECT DISTINCT hashtextextended($1 || ' ' || fingerprint, 0) AS name
               FROM unnest($2::text[]) AS fingerprint ORDER BY name) AS names`,
    [tenantId, fingerprints],
  );
}

/** The oldest token of each fingerprint, if any. */
export function selectOldest(
  tx: Queryable,
  tenantId: string,
  fingerprints: readonly string[],
  now: Date,
): Promise<TokenKey[]> {
  return tx.query<TokenKey>(
    'fingerprints-select',
    `SELECT DISTINCT ON (fingerprint) tenant_id AS "tenantId", id
       FROM token
      WHERE tenant_id = $1 AND fingerprint = ANY($2::text[]) AND (expires_at IS NULL OR expires_at > $3)
        AND NOT ${isIntent}
      ORDER BY fingerprint, created_at, id`,
    [tenantId, fingerprints, now],
  );
}

/** Locks tokens until the transaction ends. */
export async function lockTokens(tx: Queryable, keys: readonly TokenKey[]): Promise<void> {
  await tx.query(
    'tokens-lock',
    `SELECT 1 FROM token JOIN unnest($1::uuid[], $2::text[]) AS wanted (tenant_id, id) USING (tenant_id, id)
      ORDER BY tenant_id, id FOR UPDATE OF token`,
    [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id)],
  );
}
