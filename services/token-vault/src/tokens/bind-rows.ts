import type { Queryable } from '@glovebox/platform/db/postgres';

import { keyVersionOf } from '../crypto/envelope.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { Revisions } from '../store/revisions.ts';
import type { StoredRow } from '../store/token-row.ts';
import { type UntaggedRow, tagFor } from './authentic-rows.ts';

interface Binding {
  readonly keyring: Keyring;
  readonly revisions: Revisions;
}

type UnboundRow = Omit<UntaggedRow, 'revision'>;

/** A row as it is to be written: with a new revision and the tag that authenticates it. */
export async function bindRow(
  { keyring, revisions }: Binding,
  db: Queryable,
  row: UnboundRow,
): Promise<StoredRow> {
  return retag(keyring, { ...row, revision: await revisions.next(db) });
}

/** The row with the tag that it needs, under the key of its envelope. */
export async function retag(keyring: Keyring, row: UntaggedRow): Promise<StoredRow> {
  const key = await keyring.sealingKey(row.tenantId, keyVersionOf(row.sealedData));
  return { ...row, tag: tagFor(key, row) };
}
