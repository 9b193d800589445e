import type { Logger } from '@glovebox/platform/logger';
import type { Queryable } from '@glovebox/platform/postgres';

import type { Keyring } from '../crypto/keyring.ts';

/**
 * Gives why the vault could not open anything: its key-encryption keys do not unwrap what the database holds, as when
 * a key file belongs to other data. Tries one stored key, until that has worked once.
 */
export function keysCheck(
  db: Queryable,
  keyring: Keyring,
  logger: Logger,
): () => Promise<string | undefined> {
  let fits = false;
  return async () => {
    if (fits) return undefined;
    const key = await anyKey(db);
    if (key === undefined) return undefined;
    try {
      await keyring.sealingKey(key.tenantId, key.version);
      fits = true;
      return undefined;
    } catch (err) {
      logger.warn({ err }, 'a stored key cannot be unwrapped');
      return 'the keys in the database cannot be unwrapped';
    }
  };
}

/** Undefined too when the database is away: another check says so. */
async function anyKey(db: Queryable): Promise<{ tenantId: string; version: number } | undefined> {
  const rows = await db
    .query<{ tenantId: string; version: number }>(
      'check-keys',
      `SELECT tenant_id AS "tenantId", version FROM tenant_key WHERE kind = 'data' LIMIT 1`,
    )
    .catch(() => []);
  return rows[0];
}
