import type { Queryable } from '@glovebox/platform/db/postgres';

import { type KnownClientKey, readKnownClientKeys } from '../store/audit-client-keys.ts';

export interface ClientKeyMismatch {
  readonly tenantId: string;
  readonly keyId: string;
  readonly problem: string;
}

const keysAtOnce = 1000;

/**
 * Compares each client's key with its creation and end in the audit log, and stops at the first mismatch. A key has no
 * revisions: nothing of it changes but the data key that it is sealed under.
 */
export async function verifyClientKeys(
  db: Queryable,
): Promise<{ readonly keys: number; readonly mismatch: ClientKeyMismatch | undefined }> {
  let keys = 0;
  let last = { tenantId: '00000000-0000-0000-0000-000000000000', keyId: '' };
  for (;;) {
    const page = await readKnownClientKeys(db, last, keysAtOnce);
    for (const key of page) {
      const problem = problemOf(key);
      const { tenantId, keyId } = key;
      if (problem !== undefined) return { keys, mismatch: { tenantId, keyId, problem } };
      keys += 1;
      last = key;
    }
    if (page.length < keysAtOnce) return { keys, mismatch: undefined };
  }
}

function problemOf({ ended, exists }: KnownClientKey): string | undefined {
  if (ended) return exists ? 'the key was deleted, and is there again' : undefined;
  return exists ? undefined : 'the key was removed without a record';
}
