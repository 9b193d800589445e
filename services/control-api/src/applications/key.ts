import { randomUUID } from 'node:crypto';

import { generateApiKey, hashKey } from '@glovebox/access/api-key';

import type { KeyUse } from './last-uses.ts';

/** A key without its hash. */
export interface StoredKey {
  readonly id: string;
  /** Null for keys from before this was noted. */
  readonly created_by: string | null;
  /** A string where it was read as JSON. */
  readonly created_at: Date | string;
}

/** A key as it is stored. */
export interface KeyRow extends StoredKey {
  readonly key_hash: string;
}

export interface NewKey {
  readonly row: KeyRow;
  /** Shown once, stored nowhere. */
  readonly text: string;
}

export function newKey(createdBy: string): NewKey {
  const text = generateApiKey();
  const row = { id: randomUUID(), key_hash: hashKey(text), created_by: createdBy, created_at: new Date() };
  return { row, text };
}

/** A key as the API shows it; its text only when it was just created, and its use where it is known. */
export function showKey(key: StoredKey, text?: string, use?: KeyUse): object {
  return {
    id: key.id,
    key: text,
    created_by: key.created_by ?? undefined,
    created_at: new Date(key.created_at).toISOString(),
    last_used_at: use?.lastUsedAt?.toISOString(),
    requests_per_minute: use?.perMinute,
  };
}
