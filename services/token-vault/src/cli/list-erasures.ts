import { type Command, readArguments } from '@glovebox/platform/process/commands';

import type { Keys } from '../keys/services/combined-keys.ts';
import { type Erasure, listErasures } from '../store/erasures.ts';
import type { OpenStore } from './open-store.ts';

export const listErasuresCommand = (openStore: OpenStore): Command => ({
  name: 'tenant erasures',
  takes: '',
  does:
    'prints the erasures of tenants, the latest first: how far each is, its certificate, and which key-encryption keys ' +
    'open its data in backups, and who holds them.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const erasures = await listErasures(store.postgres.acrossTenants('erasure'));
    return { output: { erasures: erasures.map((erasure) => show(erasure, store.provider)) } };
  },
});

function show(
  { tenantId, requestedAt, keysDestroyedAt, destroyedKeys, erased, rowsErasedAt, certificate }: Erasure,
  provider: Keys,
): object {
  const wrappedBy = [...new Set(destroyedKeys.flatMap((key) => key.wrapped_by))];
  return {
    tenant_id: tenantId,
    requested_at: requestedAt.toISOString(),
    keys_destroyed_at: keysDestroyedAt.toISOString(),
    rows_erased_at: rowsErasedAt?.toISOString() ?? null,
    erased_rows: erased,
    state: certificate === null ? 'erasing' : 'erased',
    backups: { opened_by: wrappedBy.map((id) => ({ id, held_by: provider.holderOf(id) ?? null })) },
    certificate,
  };
}
