import { type MigrationRoles, migrateFor } from '@glovebox/platform/db/migrate';
import { type TenantDatabase, createPostgres } from '@glovebox/platform/db/postgres';

import { guardedKeys } from '../crypto/guarded-keys.ts';
import { KeyBarrier } from '../crypto/key-barrier.ts';
import { Keyring } from '../crypto/keyring.ts';
import { watchSeal } from '../keys/sealing/watch-seal.ts';
import type { Keys } from '../keys/services/combined-keys.ts';
import type { KeysConfig } from '../keys/services/key-settings.ts';
import { openKeys } from '../keys/services/open-keys.ts';
import { schema } from '../store/migrations.ts';
import { createDekStore } from '../store/tenant-keys.ts';

/** What the commands work with. Vaults may run at the same time. */
export interface Store extends AsyncDisposable {
  readonly postgres: TenantDatabase;
  /** For keys of the installation, also while the vaults are sealed. */
  readonly provider: Keys;
  /** Refuses while the vaults are sealed. */
  readonly keyring: Keyring;
}

/** Counting all tokens takes long. */
const statementTimeoutMs = 10 * 60_000;
const applicationName = 'token-vault command';

/** @throws ConfigError, AppError `unavailable` */
export type OpenStore = () => Promise<Store>;

export async function openStore(roles: MigrationRoles, keys: KeysConfig): Promise<Store> {
  const provider = await openKeys(keys);
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(
    createPostgres({
      url: roles.databaseUrl,
      directUrl: roles.directUrl,
      // One connection holds a lock while the command runs, one the current tokens, and one reads keys.
      maxConnections: 4,
      statementTimeoutMs,
      connectTimeoutMs: 5000,
      applicationName,
      onError: () => undefined,
    }),
  );
  await postgres.ping();
  await migrateFor(roles, schema);
  const barrier = new KeyBarrier();
  const guarded = guardedKeys(barrier, provider);
  const keyring = new Keyring({ provider: guarded, store: createDekStore(postgres) });
  barrier.onDrop(() => keyring.drop());
  stack.use(
    await watchSeal(
      { url: roles.databaseUrl, directUrl: roles.directUrl },
      barrier,
      { warn: () => undefined },
      applicationName,
    ),
  );
  const opened = stack.move();
  return { postgres, provider, keyring, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
