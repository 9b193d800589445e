import { type Command, CommandError, exitCodes, readArguments } from '@glovebox/platform/process/commands';

import { newSigningKey } from '../crypto/audit-signing-key.ts';
import { insertSigningKey, readSigningKeys } from '../store/audit-signing-keys.ts';
import type { OpenStore } from './open-store.ts';

export const rotateAuditKeyCommand = (openStore: OpenStore): Command => ({
  name: 'audit rotate-key',
  takes: '',
  does:
    'makes a new key that signs exports of the audit log, which vaults use within a minute, and prints the fingerprints of all keys, ' +
    'the newest first; the earlier ones still verify what they have signed.',
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const [newest] = await readSigningKeys(store.postgres.withoutTenant);
    const made = await newSigningKey(store.provider);
    if (!(await insertSigningKey(store.postgres.withoutTenant, (newest?.number ?? 0) + 1, made))) {
      throw new CommandError(exitCodes.temporary, 'another command has made a key at the same time');
    }
    const keys = await readSigningKeys(store.postgres.withoutTenant);
    return {
      output: {
        keys: keys.map(({ fingerprint, createdAt }) => ({
          fingerprint,
          created_at: createdAt.toISOString(),
        })),
      },
    };
  },
});
