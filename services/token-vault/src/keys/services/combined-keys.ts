import type { KeyProvider, WrappedKey } from '../../crypto/key-provider.ts';
import { KeyServiceError } from './key-service-error.ts';

/** One of those that hold key-encryption keys, and which ids are its own. */
export interface KeyHolder {
  readonly name: string;
  readonly keys: KeyProvider;
  /** All that it is known to hold; a service may hold more. */
  readonly keyIds: readonly string[];
  holds(keyId: string): boolean;
}

/** What the vault and its commands know of the key-encryption keys. */
export interface Keys extends KeyProvider {
  readonly keyIds: readonly string[];
  /** Who holds that key; undefined when nobody does who is configured. */
  holderOf(keyId: string): string | undefined;
}

/**
 * The first holder wraps from now on. Each unwraps under its own keys, so that stored keys can go from a file to a key
 * service, or from one service to another, while vaults run.
 */
export function combineKeys(holders: readonly [KeyHolder, ...KeyHolder[]]): Keys {
  const [{ keys: current }] = holders;
  const find = (keyId: string) => holders.find((holder) => holder.holds(keyId));
  return {
    currentKeyId: current.currentKeyId,
    keyIds: holders.flatMap(({ keyIds }) => keyIds),
    wrap: (dataKey, aad): Promise<WrappedKey> => current.wrap(dataKey, aad),
    async unwrap(keyId, wrapped, aad): Promise<Buffer> {
      const holder = find(keyId);
      if (holder === undefined) {
        throw new KeyServiceError(
          `data keys are wrapped under "${keyId}", which nobody who is configured holds`,
        );
      }
      return holder.keys.unwrap(keyId, wrapped, aad);
    },
    holderOf: (keyId) => find(keyId)?.name,
  };
}
