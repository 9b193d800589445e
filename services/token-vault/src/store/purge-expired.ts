import type { Queryable } from '@glovebox/platform/db/postgres';

import { orFailUnrecorded } from './audit-log.ts';
import type { TokenKey } from './token-rows.ts';

export const expiredBatch = 1000;

/** Deletes a batch of expired tokens, each with an audit row. Skips rows that another vault has locked. */
export function removeExpired(tx: Queryable): Promise<TokenKey[]> {
  return tx.query<TokenKey>('purge-expired', statement, [expiredBatch]);
}

/** Deletes expired tokens that occupy these ids, each with an audit row. Returns the deleted ones. */
export function freeExpiredIds(tx: Queryable, tenantId: string, ids: readonly string[]): Promise<TokenKey[]> {
  return orFailUnrecorded(() =>
    tx.query<TokenKey>('tokens-make-room', freeExpiredIdsStatement, [tenantId, ids]),
  );
}

const removeAndRecord = `
  removed AS (
    DELETE FROM token USING expired WHERE token.tenant_id = expired.tenant_id AND token.id = expired.id
    RETURNING token.tenant_id, token.id, token.revision),
  recorded AS (
    INSERT INTO audit (tenant_id, operation, token_id, outcome, purpose, revision)
    SELECT tenant_id, 'delete', id, 'allowed', 'expired', revision FROM removed)`;

const statement = `
  WITH expired AS (
    SELECT tenant_id, id FROM token WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  ${removeAndRecord}
  SELECT tenant_id AS "tenantId", id FROM removed`;

const freeExpiredIdsStatement = `
  WITH expired AS (
    SELECT tenant_id, id FROM token
     WHERE tenant_id = $1 AND id = ANY($2) AND expires_at <= now() ORDER BY id FOR UPDATE),
  ${removeAndRecord}
  SELECT tenant_id AS "tenantId", id FROM removed`;
