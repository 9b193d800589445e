import { migrateFor } from '@glovebox/platform/db/migrate';
import { type TenantDatabase, createPostgres } from '@glovebox/platform/db/postgres';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';

import type { StoreConfig } from './config.ts';
import { type PublicationParts, createPublication } from './connect-publication.ts';
import { schema } from './migrations.ts';
import { openPublicationKeys } from './publication-keys.ts';

export interface Stores extends AsyncDisposable {
  readonly postgres: TenantDatabase;
  readonly publication: PublicationParts;
}

/**
 * Database and projection for a command, beside whatever runs, or before anything does.
 * @throws AppError `unavailable` when one of them is away
 */
export async function openStores(config: StoreConfig): Promise<Stores> {
  await using stack = new AsyncDisposableStack();
  const keys = await openPublicationKeys(config);
  const postgres = stack.use(
    createPostgres({
      url: config.databaseUrl,
      directUrl: config.directUrl,
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 5000,
      applicationName: 'control-api command',
      onError: () => undefined,
    }),
  );
  await postgres.ping();
  await migrateFor(config, schema);
  const publication = stack.use(
    createPublication({
      config,
      keys,
      logger: createLogger({ service: 'control-api', level: 'silent' }),
      metrics: createMetrics('control-api'),
      postgres,
    }),
  );
  await publication.connected(5000);
  const held = stack.move();
  return { postgres, publication, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
