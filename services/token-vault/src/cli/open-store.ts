import { migrate } from '@glovebox/platform/db/migrate';
import { type Postgres, createPostgres } from '@glovebox/platform/db/postgres';
import type { Secret } from '@glovebox/platform/values/secret';

import { Keyring } from '../crypto/keyring.ts';
import type { Keys } from '../keys/services/combined-keys.ts';
import type { KeysConfig } from '../keys/services/key-settings.ts';
import { openKeys } from '../keys/services/open-keys.ts';
import { migrationsFolder } from '../store/migrations.ts';
import { createDekStore } from '../store/tenant-keys.ts';

/** What the commands work with. Vaults may run at the same time. */
export interface Store extends AsyncDisposable {
  readonly postgres: Postgres;
  readonly provider: Keys;
  readonly keyring: Keyring;
}

/** Counting all tokens takes long. */
const statementTimeoutMs = 10 * 60_000;

/** @throws ConfigError, AppError `unavailable` */
export type OpenStore = () => Promise<Store>;

export async function openStore(databaseUrl: Secret<string>, keys: KeysConfig): Promise<Store> {
  const provider = await openKeys(keys);
  const postgres = createPostgres({
    url: databaseUrl,
    // One connection holds a lock while the command runs, one the current tokens, and one reads keys.
    maxConnections: 4,
    statementTimeoutMs,
    connectTimeoutMs: 5000,
    applicationName: 'token-vault command',
    onError: () => undefined,
  });
  try {
    await postgres.ping();
    await migrate(databaseUrl, migrationsFolder);
  } catch (error) {
    await postgres[Symbol.asyncDispose]();
    throw error;
  }
  return {
    postgres,
    provider,
    keyring: new Keyring({ provider, store: createDekStore(postgres) }),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
