import type { KeyBarrier } from './key-barrier.ts';
import type { KeyProvider } from './key-provider.ts';

/** A holder of key-encryption keys behind the barrier: a key that arrives after it was closed is dropped. */
export function guardedKeys(barrier: KeyBarrier, keys: KeyProvider): KeyProvider {
  return {
    get currentKeyId() {
      return keys.currentKeyId;
    },
    async wrap(dataKey, aad) {
      barrier.requireOpen();
      return keys.wrap(dataKey, aad);
    },
    async unwrap(keyId, wrapped, aad) {
      barrier.requireOpen();
      const bytes = await keys.unwrap(keyId, wrapped, aad);
      try {
        barrier.requireOpen();
      } catch (error) {
        bytes.fill(0);
        throw error;
      }
      return bytes;
    },
  };
}
