import { type MigrationRoles, migrateFor } from '@glovebox/platform/db/migrate';
import { type TenantDatabase, createPostgres } from '@glovebox/platform/db/postgres';

import { Keyring } from '../crypto/keyring.ts';
import type { Keys } from '../keys/services/combined-keys.ts';
import type { KeysConfig } from '../keys/services/key-settings.ts';
import { openKeys } from '../keys/services/open-keys.ts';
import { schema } from '../store/migrations.ts';
import { createDekStore } from '../store/tenant-keys.ts';

/** What the commands work with. Vaults may run at the same time. */
export interface Store extends AsyncDisposable {
  readonly postgres: TenantDatabase;
  readonly provider: Keys;
  readonly keyring: Keyring;
}

/** Counting all tokens takes long. */
const statementTimeoutMs = 10 * 60_000;

/** @throws ConfigError, AppError `unavailable` */
export type OpenStore = () => Promise<Store>;

export async function openStore(roles: MigrationRoles, keys: KeysConfig): Promise<Store> {
  const provider = await openKeys(keys);
  const postgres = createPostgres({
    url: roles.databaseUrl,
    // One connection holds a lock while the command runs, one the current tokens, and one reads keys.
    maxConnections: 4,
    statementTimeoutMs,
    connectTimeoutMs: 5000,
    applicationName: 'token-vault command',
    onError: () => undefined,
  });
  try {
    await postgres.ping();
    await migrateFor(roles, schema);
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
