import type { KeyObject } from 'node:crypto';

import { fingerprintOf, publicKeyOf } from './public-key.ts';

/** The text is no set of keys that can verify; the message goes on after the name of the file. */
export class KeySetError extends Error {
  override readonly name = 'KeySetError';
}

/**
 * The keys of a JSON Web Key Set (RFC 7517), such as `/.well-known/glovebox-audit-keys` answers, by their fingerprints.
 * The `kid` of a key is not believed.
 * @throws KeySetError
 */
export function parseKeySet(text: string): ReadonlyMap<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const x of publicKeysIn(text)) {
    const key = publicKeyOf(x);
    if (key === undefined) throw new KeySetError('has a key that is not one of Ed25519');
    keys.set(fingerprintOf({ kty: 'OKP', crv: 'Ed25519', x }), key);
  }
  if (keys.size === 0) throw new KeySetError('has no keys');
  return keys;
}

function publicKeysIn(text: string): readonly string[] {
  try {
    const { keys }: { readonly keys?: unknown } = JSON.parse(text);
    if (!Array.isArray(keys)) return [];
    return keys.map((key: { readonly x?: unknown } | null) => (typeof key?.x === 'string' ? key.x : ''));
  } catch {
    return [];
  }
}
