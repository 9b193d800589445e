import { type Command, readArguments } from '@glovebox/platform/process/commands';

import { rewrapKeys } from '../keys/rotation/rewrap-keys.ts';
import type { OpenStore } from './open-store.ts';
import { createProgress } from './progress.ts';

export const rewrapKeysCommand = (openStore: OpenStore): Command => ({
  name: 'keys rewrap',
  takes: '',
  does: "wraps every stored key under the key file's current key; can be stopped and started again at any time.",
  async run(args) {
    readArguments(args, {});
    await using store = await openStore();
    const tell = createProgress();
    const { provider } = store;
    const postgres = store.postgres.acrossTenants('key rotation');
    const rewrapped = await rewrapKeys({ postgres, provider }, (count) => tell(`${count} keys rewrapped`));
    return { output: { key_encryption_key: provider.currentKeyId, rewrapped } };
  },
});
