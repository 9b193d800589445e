import {
  type Command,
  UsageError,
  CommandError,
  exitCodes,
  readArguments,
} from '@glovebox/platform/process/commands';

import { beginIndexRotations, indexRotations } from '../store/index-rotations.ts';
import { isUuid } from '../values/uuid.ts';
import type { OpenStore } from './open-store.ts';

export const rotateIndexCommand = (openStore: OpenStore): Command => ({
  name: 'keys rotate-index',
  takes: '[--tenant ID] [--status]',
  does:
    'has vaults make the fingerprints and search hashes of every tenant, or of one, anew under a new index key, in the background; clients ' +
    'see other fingerprints then. --status only shows how far that is. Run it when no vault of version 0.2 runs any more.',
  async run(args) {
    const { values } = readArguments(args, { tenant: { type: 'string' }, status: { type: 'boolean' } });
    const { tenant: tenantId, status = false } = values;
    if (tenantId !== undefined && !isUuid(tenantId)) throw new UsageError('--tenant: must be a UUID');
    await using store = await openStore();
    const db = store.postgres.acrossTenants('index rotation');
    const begun = status ? [] : await beginIndexRotations(db, tenantId);
    const pending = await indexRotations(db, tenantId);
    if (!status && tenantId !== undefined && pending.length === 0) {
      throw new CommandError(exitCodes.data, `Tenant ${tenantId} has no index key.`);
    }
    const sum = (of: 'remade' | 'lost' | 'unreadable') =>
      pending.reduce((total, rotation) => total + rotation[of], 0);
    return {
      output: {
        tenants_begun: begun.length,
        tenants_under_way: pending.length,
        tokens_remade: sum('remade'),
        fingerprints_lost: sum('lost'),
        tokens_unreadable: sum('unreadable'),
      },
    };
  },
});
