import { type Command, readArguments } from '@glovebox/platform/process/commands';

import { readStoreConfig } from '../config.ts';
import { provisionTenant } from '../provision-tenant.ts';
import type { CreatedTenant } from '../tenants/create-tenant.ts';
import { readTenantInput } from '../tenants/schema.ts';

export const createTenantCommand: Command = {
  name: 'tenant create',
  takes: 'NAME [--development]',
  does: 'makes a tenant and prints its first key, which is shown this once; with --development the keys of two applications more.',
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
