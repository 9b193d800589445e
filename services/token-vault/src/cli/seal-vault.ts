import { setTimeout as sleep } from 'node:timers/promises';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { type Command, exitCodes, readArguments } from '@glovebox/platform/process/commands';

import { installationEntry } from '../audit/audit-entry.ts';
import { recordDecisions } from '../store/audit-log.ts';
import { type VaultSeal, beginSeal, endSeal, sealInForce, watchingVaults } from '../store/vault-seals.ts';
import type { OpenStore, Store } from './open-store.ts';

/** Vaults take two seconds at most, if they reach the database. */
const patienceMs = 5000;
const pollMs = 100;

export const sealVault = (openStore: OpenStore): Command => ({
  name: 'vault seal',
  takes: '',
  does:
    'has every vault drop all keys from memory within two seconds and refuse what needs one, until `vault unseal`, also after ' +
    'a restart; it waits until all connected vaults have, and ends with exit code 75 if one has not within five.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const began = await changeSeal(store, 'seal', beginSeal);
    const seal = await sealInForce(store.postgres.withoutTenant);
    if (seal === undefined) return { output: { sealed: false }, exitCode: exitCodes.temporary };
    const { watching, dropped } = await untilDropped(store, seal);
    const output = { ...shown(seal), vaults: watching, vaults_without_keys: dropped, already: !began };
    return { output, exitCode: dropped < watching ? exitCodes.temporary : 0 };
  },
});

export const unsealVault = (openStore: OpenStore): Command => ({
  name: 'vault unseal',
  takes: '',
  does: 'lets vaults unwrap keys again, which they do when they next need one, within a second.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const ended = await changeSeal(store, 'unseal', endSeal);
    return { output: { sealed: false, already: !ended } };
  },
});

export const vaultStatus = (openStore: OpenStore): Command => ({
  name: 'vault status',
  takes: '',
  does: 'shows whether the vaults are sealed, and how many of them are connected and hold no key.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const seal = await sealInForce(store.postgres.withoutTenant);
    const { watching, dropped } = await watchingVaults(store.postgres.withoutTenant, seal?.number ?? 0);
    return { output: { ...shown(seal), vaults: watching, vaults_without_keys: dropped } };
  },
});

/** With the entry in the audit log, or not at all. */
function changeSeal(
  { postgres }: Store,
  operation: 'seal' | 'unseal',
  change: (tx: Queryable) => Promise<boolean>,
): Promise<boolean> {
  return postgres.acrossTenants('vault seal').transaction(async (tx) => {
    const changed = await change(tx);
    if (changed) await recordDecisions(tx, [installationEntry(`${operation}_vault`, 'vault')]);
    return changed;
  });
}

async function untilDropped({ postgres }: Store, seal: VaultSeal) {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const vaults = await watchingVaults(postgres.withoutTenant, seal.number);
    if (vaults.dropped >= vaults.watching || performance.now() > deadline) return vaults;
    await sleep(pollMs);
  }
}

const shown = (seal: VaultSeal | undefined) => ({
  sealed: seal !== undefined,
  ...(seal && { sealed_at: seal.sealedAt.toISOString() }),
});
