import { type Command, configCheck, readArguments, runCommands } from '@glovebox/platform/process/commands';

import { readControlConfig, readStoreConfig } from './config.ts';
import { eraseTenantCommand } from './erase-tenant.ts';
import { openStores } from './open-stores.ts';
import type { CreatedTenant } from './operations/tenants/create-tenant.ts';
import { readTenantInput } from './operations/tenants/schema.ts';
import { provisionTenant } from './provision-tenant.ts';

const createTenantCommand: Command = {
  name: 'tenant create',
  takes: 'NAME [--development]',
  does: 'creates a tenant and prints its first key, which cannot be shown again; with --development also the keys of two more applications.',
  async run(args) {
    const { positionals, values } = readArguments(args, { development: { type: 'boolean' } }, 1);
    const config = readStoreConfig();
    const { name } = readTenantInput(config.inputLimits, { name: positionals[0] });
    const { development = false } = values;
    const { tenant, unpublished } = await provisionTenant(config, { name, development });
    if (unpublished !== undefined) process.stderr.write(`${unpublished.message}\n`);
    return { output: show(tenant, development) };
  },
};

function show({ tenantId, apiKeys }: CreatedTenant, development: boolean): object {
  const [management, privateKey, publicKey] = apiKeys;
  return {
    tenant_id: tenantId,
    management_api_key: management,
    ...(development ? { private_api_key: privateKey, public_api_key: publicKey } : {}),
  };
}

const rebuildProjection: Command = {
  name: 'projection rebuild',
  takes: '',
  does: 'rebuilds the published records in Redis from the database while services run, and prints their number.',
  async run(args) {
    readArguments(args, {});
    await using stores = await openStores(readStoreConfig());
    const { entries, records } = await stores.publication.publisher.rebuild();
    return { output: { records, outbox_entries: entries } };
  },
};

const commands = [
  createTenantCommand,
  eraseTenantCommand,
  rebuildProjection,
  configCheck('control-api', () => readControlConfig()),
];

process.exitCode = await runCommands(commands, process.argv.slice(2));
