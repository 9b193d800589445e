import { readHead } from '../../crypto/envelope.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type TaggedValue, isTagOf, tagOf } from '../../crypto/row-tag.ts';
import type { DataKey } from '../../crypto/tenant-keys.ts';
import type { StoredClientKey } from '../../store/client-keys.ts';
import { isAccepted, millisecondsOf } from '../../tokens/authentic-rows.ts';

const label = 'glovebox/client-key/1';

/**
 * Also of the public key: clients would encrypt to another one in its place.
 * @throws IntegrityViolation for the first key that does not authenticate
 */
export async function requireAuthenticKeys(
  keyring: Keyring,
  keys: readonly StoredClientKey[],
): Promise<void> {
  for (const stored of keys) {
    const { format, keyVersion, head } = readHead(stored.sealedPrivateKey);
    const key = await keyring.sealingKey(stored.tenantId, keyVersion);
    if (!isAccepted(key, format, stored.tag)) throw new IntegrityViolation();
    if (stored.tag !== null && !isTagOf(stored.tag, key.tag, label, valuesOf(stored, head))) {
      throw new IntegrityViolation();
    }
  }
}

/** The tag that the row needs under the key of its envelope; null: none, it is sealed in format 1. */
export function clientKeyTag({ tag }: DataKey, stored: Omit<StoredClientKey, 'tag'>): Buffer | null {
  const { format, head } = readHead(stored.sealedPrivateKey);
  return format === 1 ? null : tagOf(tag, label, valuesOf(stored, head));
}

/** Every column. */
function valuesOf(key: Omit<StoredClientKey, 'tag'>, head: Uint8Array): TaggedValue[] {
  return [
    key.tenantId.toLowerCase(),
    key.id,
    Buffer.from(head).toString('hex'),
    key.encoding,
    JSON.stringify(key.publicKey),
    millisecondsOf(key.expiresAt),
    key.expiresAtText,
    key.createdBy.toLowerCase(),
    millisecondsOf(key.createdAt),
  ];
}
