import { type Command, readArguments } from '@glovebox/platform/process/commands';

import { ciphers } from '../crypto/ciphers.ts';
import { readKeyUse } from '../store/key-inventory.ts';
import type { OpenStore } from './open-store.ts';

export const listKeys = (openStore: OpenStore): Command => ({
  name: 'keys list',
  takes: '',
  does: 'prints which keys and ciphers protect which data; never a key.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const { wrapped, dataKeys, indexKeys, auditKey } = await readKeyUse(
      store.postgres.acrossTenants('key inventory'),
    );
    const ids = new Set([...store.provider.keyIds, ...wrapped.keys()]);
    return {
      output: {
        key_encryption_keys: [...ids].map((id) => ({
          id,
          current: id === store.provider.currentKeyId,
          held_by: store.provider.holderOf(id),
          wraps: wrapped.get(id) ?? 0,
        })),
        data_keys: dataKeys,
        index_keys: indexKeys,
        audit_key: auditKey,
        ciphers,
      },
    };
  },
});
