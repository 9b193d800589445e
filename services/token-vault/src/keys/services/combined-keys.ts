import type { KeyProvider, WrappedKey } from '../../crypto/key-provider.ts';
import { KeyServiceError } from './key-service-error.ts';

/** A holder of key-encryption keys, and the ids that belong to it. */
export interface KeyHolder {
  readonly name: string;
  readonly keys: KeyProvider;
  /** Its known keys; a service may hold more. */
  readonly keyIds: readonly string[];
  holds(keyId: string): boolean;
}

export interface Keys extends KeyProvider {
  readonly keyIds: readonly string[];
  /** The name of the holder of a key; undefined if no configured holder has it. */
  holderOf(keyId: string): string | undefined;
}

/**
 * The first holder wraps. Every holder unwraps under its own keys, so that stored keys can move from a file to a
 * key service, or between services, while vaults run.
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
          `data keys are wrapped under "${keyId}", which no configured key service or key file has`,
        );
      }
      return holder.keys.unwrap(keyId, wrapped, aad);
    },
    holderOf: (keyId) => find(keyId)?.name,
  };
}
