import type { AppError } from '@glovebox/platform/errors';
import { createLogger } from '@glovebox/platform/logger';
import { createMetrics } from '@glovebox/platform/metrics';
import { migrate } from '@glovebox/platform/migrate';
import { createPostgres } from '@glovebox/platform/postgres';

import type { StoreConfig } from './config.ts';
import { migrationsFolder } from './migrations.ts';
import { isNotPublished } from './outbox/changes.ts';
import { createPublication } from './publication.ts';
import { type CreatedTenant, createTenant } from './tenants/create-tenant.ts';
import { developmentApplications, firstApplication } from './tenants/first-applications.ts';

export interface NewTenant {
  readonly name: string;
  /** With applications for trying everything out. */
  readonly development: boolean;
}

export interface ProvisionedTenant {
  readonly tenant: CreatedTenant;
  /** Why it is stored only; the service publishes it as soon as it can. */
  readonly unpublished?: AppError;
}

/** Makes a tenant beside whatever runs, or before anything does. */
export async function provisionTenant(
  config: StoreConfig,
  { name, development }: NewTenant,
): Promise<ProvisionedTenant> {
  await using postgres = createPostgres({
    url: config.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: 'control-api command',
    onError: () => undefined,
  });
  await postgres.ping();
  await migrate(config.databaseUrl, migrationsFolder);
  await using publication = createPublication({
    config,
    logger: createLogger({ service: 'control-api', level: 'silent' }),
    metrics: createMetrics('control-api'),
    postgres,
  });
  await publication.connected(5000);
  const applications = [firstApplication, ...(development ? developmentApplications : [])];
  let tenant: CreatedTenant | undefined;
  try {
    await publication.changes.apply('recorded', async (tx) => {
      const changed = await createTenant(tx, name, applications);
      tenant = changed.result;
      return changed;
    });
    return { tenant: tenant as unknown as CreatedTenant };
  } catch (error) {
    // The keys exist nowhere else: they must reach the caller even so.
    if (tenant === undefined || !isNotPublished(error)) throw error;
    return { tenant, unpublished: error };
  }
}
