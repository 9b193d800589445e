import { parseArgs } from 'node:util';

import { ConfigError } from '@glovebox/platform/env';
import { AppError } from '@glovebox/platform/errors';

import { readStoreConfig } from './config.ts';
import { type NewTenant, provisionTenant } from './provision-tenant.ts';
import type { CreatedTenant } from './tenants/create-tenant.ts';
import { readTenantInput } from './tenants/schema.ts';

const usage = 'usage: tenant create NAME [--development]\n';

/** Codes of sysexits.h. */
const exit = { usage: 64, unavailable: 69, software: 70, config: 78 } as const;

class UsageError extends Error {}

process.exitCode = await main().catch(failed);

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  const { tenant, unpublished } = await provisionTenant(readStoreConfig(), command);
  if (unpublished !== undefined) process.stderr.write(`${unpublished.message}\n`);
  process.stdout.write(`${JSON.stringify(show(tenant, command.development))}\n`);
  return 0;
}

function readCommand(args: string[]): NewTenant {
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
