import { parseArgs } from 'node:util';

import { ConfigError } from '@glovebox/platform/env';
import { AppError } from '@glovebox/platform/errors';
import { createLogger } from '@glovebox/platform/logger';
import { createMetrics } from '@glovebox/platform/metrics';
import { migrate } from '@glovebox/platform/migrate';
import { createPostgres } from '@glovebox/platform/postgres';

import { type StoreConfig, readStoreConfig } from './config.ts';
import { migrationsFolder } from './migrations.ts';
import { NotPublished } from './outbox/changes.ts';
import { createPublication } from './publication.ts';
import { type CreatedTenant, createTenant } from './tenants/create-tenant.ts';
import { developmentApplications, firstApplication } from './tenants/first-applications.ts';
import { readTenantInput } from './tenants/schema.ts';

const usage = 'usage: tenant create NAME [--development]\n';

/** Codes of sysexits.h. */
const exit = { usage: 64, unavailable: 69, software: 70, config: 78 } as const;

class UsageError extends Error {}

interface Command {
  readonly name: string;
  readonly development: boolean;
}

process.exitCode = await main().catch(failed);

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  const created = await createTenantIn(readStoreConfig(), command);
  process.stdout.write(`${JSON.stringify(created)}\n`);
  return 0;
}

function readCommand(args: string[]): Command {
  const options = { development: { type: 'boolean', default: false } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const [noun, verb, name, ...more] = parsed.positionals;
  if (noun !== 'tenant' || verb !== 'create' || name === undefined || more.length > 0) throw new UsageError();
  return { name: readTenantInput({ name }).name, development: parsed.values.development };
}

async function createTenantIn(config: StoreConfig, { name, development }: Command): Promise<object> {
  const logger = createLogger({ service: 'control-api', level: 'silent' });
  await migrate(config.databaseUrl, migrationsFolder);
  await using postgres = createPostgres({
    url: config.databaseUrl,
    maxConnections: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: 'control-api command',
    onError: () => undefined,
  });
  await using publication = createPublication({
    config,
    logger,
    metrics: createMetrics('control-api'),
    postgres,
  });
  await publication.connected(5000);
  const applications = [firstApplication, ...(development ? developmentApplications : [])];
  let created: CreatedTenant | undefined;
  try {
    await publication.changes.apply(async (tx) => {
      const changed = await createTenant(tx, name, applications);
      created = changed.result;
      return changed;
    });
  } catch (error) {
    // The keys exist nowhere else: they are printed even so, and the service publishes the tenant later.
    if (!(error instanceof AppError && error.cause instanceof NotPublished)) throw error;
    process.stderr.write(`${error.message}\n`);
  }
  return show(created as CreatedTenant, development);
}

function show({ tenantId, apiKeys }: CreatedTenant, development: boolean): object {
  const [management, privateKey, publicKey] = apiKeys;
  return {
    tenant_id: tenantId,
    management_api_key: management,
    ...(development ? { private_api_key: privateKey, public_api_key: publicKey } : {}),
  };
}

function failed(error: unknown): number {
  const say = (text: string) => process.stderr.write(text);
  if (error instanceof UsageError) {
    say(`${error.message && `${error.message}\n`}${usage}`);
    return exit.usage;
  }
  if (error instanceof ConfigError) {
    say(`${error.message}\n`);
    return exit.config;
  }
  if (error instanceof AppError) {
    say(`${error.message}\n`);
    if (error.code === 'invalid_argument') return exit.usage;
    return error.code === 'unavailable' ? exit.unavailable : exit.software;
  }
  say(`${error instanceof Error ? error.message : String(error)}\n`);
  return exit.software;
}
