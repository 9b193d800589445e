import type { Queryable } from '@glovebox/platform/postgres';

import { orUnrecorded } from './audit-log.ts';

const batchSize = 1000;

/**
 * Removes rows of tokens that have expired, each with an audit row, and gives their number. Vaults may do it at the
 * same time: each takes the rows that no other has.
 */
export async function purgeExpired(db: Queryable): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await db.query<{ count: number }>('purge-expired', statement, [batchSize]);
    const count = rows[0]?.count ?? 0;
    purged += count;
    if (count < batchSize) return purged;
  }
}

/** Removes expired rows of these ids, each with an audit row, so that new tokens can have the ids. */
export async function makeRoom(tx: Queryable, tenantId: string, ids: readonly string[]): Promise<void> {
  await orUnrecorded(() => tx.query('tokens-make-room', makeRoomStatement, [tenantId, ids]));
}

const removeAndRecord = `
  removed AS (
    DELETE FROM token USING expired WHERE token.tenant_id = expired.tenant_id AND token.id = expired.id
    RETURNING token.tenant_id, token.id),
  recorded AS (
    INSERT INTO audit (tenant_id, operation, token_id, outcome, purpose)
    SELECT tenant_id, 'delete', id, 'allowed', 'expired' FROM removed)`;

const statement = `
  WITH expired AS (
    SELECT tenant_id, id FROM token WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  ${removeAndRecord}
  SELECT count(*)::integer AS count FROM removed`;

const makeRoomStatement = `
  WITH expired AS (
    SELECT tenant_id, id FROM token
     WHERE tenant_id = $1 AND id = ANY($2) AND expires_at <= now() ORDER BY id FOR UPDATE),
  ${removeAndRecord}
  SELECT count(*)::integer AS count FROM removed`;
