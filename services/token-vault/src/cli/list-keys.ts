import { type Command, readArguments } from '@glovebox/platform/commands';

import { ciphers } from '../crypto/ciphers.ts';
import { readKeyFile } from '../crypto/key-file.ts';
import { readKeyUse } from '../store/key-inventory.ts';
import { openStore } from './open-store.ts';

export const listKeys: Command = {
  name: 'keys list',
  takes: '',
  does: 'prints which keys and ciphers protect what; never a key.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const inFile = await keyIdsOf(store.keyFile);
    const { wrapped, dataKeys, indexKeys, auditKey } = await readKeyUse(store.postgres);
    const ids = [...new Set([...inFile, ...wrapped.keys()])];
    return {
      output: {
        key_encryption_keys: ids.map((id) => ({
          id,
          current: id === store.provider.currentKeyId,
          in_key_file: inFile.includes(id),
          wraps: wrapped.get(id) ?? 0,
        })),
        data_keys: dataKeys,
        index_keys: indexKeys,
        audit_key: auditKey,
        ciphers,
      },
    };
  },
};

async function keyIdsOf(keyFile: string): Promise<string[]> {
  const { keys } = await readKeyFile(keyFile);
  for (const bytes of keys.values()) bytes.fill(0);
  return [...keys.keys()];
}
