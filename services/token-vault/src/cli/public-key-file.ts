import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { CommandError, UsageError, exitCodes } from '@glovebox/platform/process/commands';
import { fingerprintOf, publicKeyOf } from '@glovebox/platform/signed-log/public-key';

/**
 * The keys of a file with what `/.well-known/glovebox-audit-keys` has answered, by their fingerprints.
 * @throws CommandError, UsageError
 */
export async function readKeys(path: string): Promise<ReadonlyMap<string, KeyObject>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const keys = new Map<string, KeyObject>();
  for (const x of publicKeysIn(text)) {
    const key = publicKeyOf(x);
    if (key === undefined) throw new UsageError(`--keys: ${path} has a key that is not one of Ed25519`);
    keys.set(fingerprintOf({ kty: 'OKP', crv: 'Ed25519', x }), key);
  }
  if (keys.size === 0) throw new UsageError(`--keys: ${path} has no keys`);
  return keys;
}

/** Of a JSON Web Key Set (RFC 7517). */
function publicKeysIn(text: string): readonly string[] {
  try {
    const { keys }: { readonly keys?: unknown } = JSON.parse(text);
    if (!Array.isArray(keys)) return [];
    return keys.map((key: { readonly x?: unknown } | null) => (typeof key?.x === 'string' ? key.x : ''));
  } catch {
    return [];
  }
}

export function unreadable(path: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new CommandError(exitCodes.unavailable, `${path} cannot be read (${code})`);
}
