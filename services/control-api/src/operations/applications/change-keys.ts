import type { Queryable } from '@glovebox/platform/db/postgres';

import type { ApplicationRow } from '../../applications/fields.ts';
import { insertKey, removeKeys } from '../../applications/key-store.ts';
import type { KeyRow } from '../../applications/key.ts';
import { keyTombstone, publishedApplication } from '../../applications/published.ts';
import { replaceApplication } from '../../applications/store.ts';
import type { NamedRecord } from '../../publication/record.ts';

export interface KeyChange {
  /** All that the application has. */
  readonly keys: readonly KeyRow[];
  readonly removed: readonly KeyRow[];
  readonly added: readonly KeyRow[];
}

/** Changes the keys of a locked application. @returns its records */
export async function changeKeys(
  tx: Queryable,
  current: ApplicationRow,
  { keys, removed, added }: KeyChange,
): Promise<{ next: ApplicationRow; keys: KeyRow[]; records: NamedRecord[] }> {
  const next = { ...current, version: String(BigInt(current.version) + 1n) };
  await replaceApplication(tx, next);
  await removeKeys(tx, removed);
  for (const key of added) await insertKey(tx, current, key);
  const left = [...keys.filter((key) => !removed.includes(key)), ...added];
  const records = [
    ...removed.map((key) => keyTombstone(key.key_hash, next.version)),
    ...publishedApplication(
      next,
      left.map((key) => key.key_hash),
    ),
  ];
  return { next, keys: left, records };
}
