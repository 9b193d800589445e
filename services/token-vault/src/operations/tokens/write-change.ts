import type { Queryable } from '@glovebox/platform/db/postgres';

import type { VaultContext } from '../../context/vault-context.ts';
import type { StoredRow } from '../../store/token-row.ts';
import { updateRow } from '../../store/update-row.ts';
import { bindRow } from '../../tokens/bind-rows.ts';
import type { ChangedToken } from './change-token.ts';

/** Writes a token whose row is locked. @returns it with its new revision */
export async function writeChange(
  vault: Pick<VaultContext, 'keyring' | 'revisions'>,
  tx: Queryable,
  { row, changesData }: ChangedToken,
): Promise<StoredRow> {
  const stored = await bindRow(vault, tx, row);
  await updateRow(tx, stored, changesData);
  return stored;
}
