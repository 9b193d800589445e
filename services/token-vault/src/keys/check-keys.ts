import { randomBytes } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import type { KeyBarrier } from '../crypto/key-barrier.ts';
import type { KeyProvider } from '../crypto/key-provider.ts';
import type { Keyring } from '../crypto/keyring.ts';

const probePlace = Buffer.from('glovebox/probe');

/**
 * A readiness check: why the vault could not seal or open anything. Either the key service does not answer or
 * refuses, or the key-encryption keys do not unwrap the stored keys. After its first success it always succeeds,
 * because held keys keep serving while the service is down. It succeeds in a sealed vault too: callers need its answer.
 */
export function keysCheck(
  db: Queryable,
  keyring: Keyring,
  provider: KeyProvider,
  barrier: KeyBarrier,
  logger: Logger,
): () => Promise<string | undefined> {
  let fits = false;
  return async () => {
    if (fits || barrier.state === 'sealed') return undefined;
    if (barrier.state === 'unknown') return 'it is not known yet whether the vault is sealed';
    try {
      const key = await anyKey(db);
      await (key === undefined ? probe(provider) : keyring.sealingKey(key.tenantId, key.version));
      fits = true;
      return undefined;
    } catch (err) {
      logger.warn({ err }, 'the key-encryption keys cannot be used');
      return whyNot(err);
    }
  };
}

/** Names what a key service or a key file lacks, but not which stored key failed. */
function whyNot(error: unknown): string {
  const reason = error instanceof AppError && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `the keys in the database cannot be unwrapped${reason}`;
}

/** Without any stored key, wrapping and unwrapping a random one is the test. */
async function probe(provider: KeyProvider): Promise<void> {
  const { keyId, wrapped } = await provider.wrap(randomBytes(32), probePlace);
  await provider.unwrap(keyId, wrapped, probePlace);
}

async function anyKey(db: Queryable): Promise<{ tenantId: string; version: number } | undefined> {
  const [key] = await db.query<{ tenantId: string; version: number }>(
    'check-keys',
    `SELECT tenant_id AS "tenantId", version FROM tenant_key WHERE kind = 'data' LIMIT 1`,
  );
  return key;
}
