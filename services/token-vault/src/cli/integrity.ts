import { type Command, readArguments } from '@glovebox/platform/process/commands';

import {
  countUntagged,
  countUntaggedClientKeys,
  tenantsToTag,
  tenantsWithoutTags,
} from '../store/row-formats.ts';
import type { OpenStore, Store } from './open-store.ts';

/** More than a table can have. */
const all = Number.MAX_SAFE_INTEGER;

export const integrityStatus = (openStore: OpenStore): Command => ({
  name: 'integrity status',
  takes: '',
  does: 'shows how many rows wait to be authenticated, and whether rows that are not are refused.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    return { output: await statusOf(store) };
  },
});

export const beginIntegrity = (openStore: OpenStore): Command => ({
  name: 'integrity begin',
  takes: '',
  does:
    'gives every tenant a data key under which rows must be authenticated. Run it once, when no vault of version 0.2 ' +
    'runs any more and none will be started again: such a vault cannot read these rows. Vaults do the rest.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    for (const tenantId of await tenantsWithoutTags(store.postgres.acrossTenants('row tags')))
      await store.keyring.rotate(tenantId, 2);
    return { output: await statusOf(store) };
  },
});

async function statusOf(store: Store): Promise<object> {
  const postgres = store.postgres.acrossTenants('row tags');
  const withoutTags = await tenantsWithoutTags(postgres);
  const toTag = await tenantsToTag(postgres);
  const waiting = new Set([...withoutTags, ...toTag]);
  return {
    begun: withoutTags.length === 0,
    complete: waiting.size === 0,
    tenants_waiting: waiting.size,
    tokens_waiting: await countUntagged(postgres, all),
    client_keys_waiting: await countUntaggedClientKeys(postgres),
  };
}
