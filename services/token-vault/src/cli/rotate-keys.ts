import { type Command, UsageError, exitCodes, readArguments } from '@glovebox/platform/process/commands';

import { rotateKeys } from '../keys/rotation/rotate-keys.ts';
import { isUuid } from '../values/uuid.ts';
import type { OpenStore } from './open-store.ts';
import { createProgress } from './progress.ts';

export const rotateKeysCommand = (openStore: OpenStore): Command => ({
  name: 'keys rotate',
  takes: '[--tenant ID] [--no-wait]',
  does:
    'gives every tenant, or one, a new data key and seals all tokens and keys of clients under it, beside running vaults; stopped at any ' +
    'time, the same command continues. Vaults seal under the previous key for up to a minute, which it waits for.',
  async run(args) {
    const { values } = readArguments(args, { tenant: { type: 'string' }, 'no-wait': { type: 'boolean' } });
    const { tenant: tenantId, 'no-wait': noWait = false } = values;
    if (tenantId !== undefined && !isUuid(tenantId)) throw new UsageError('--tenant: must be a UUID');
    await using store = await openStore();
    const tell = createProgress();
    const rotated = await rotateKeys(store, {
      tenantId: tenantId,
      wait: !noWait,
      onProgress: ({ tenants, tenantsDone, resealed }) =>
        tell(`${tenantsDone} of ${tenants} tenants, ${resealed} tokens resealed`),
    });
    const { resumed, tenants, resealed, unreadable } = rotated;
    return {
      output: {
        resumed,
        tenants,
        tokens_resealed: resealed.tokens,
        tokens_unreadable: unreadable.tokens,
        client_keys_resealed: resealed.clientKeys,
        client_keys_unreadable: unreadable.clientKeys,
      },
      exitCode: unreadable.tokens + unreadable.clientKeys > 0 ? exitCodes.data : 0,
    };
  },
});
