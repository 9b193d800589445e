import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { VaultContext } from '../../context/vault-context.ts';
import { lockFingerprints, lockTokens, selectOldest } from '../../store/duplicates.ts';
import { type StoredRow, isExpired } from '../../store/token-row.ts';
import { selectRows } from '../../store/token-rows.ts';
import { requireAuthentic } from '../../tokens/authentic-rows.ts';
import type { DraftContext } from './draft-token.ts';

/**
 * The oldest existing token of each value. Their fingerprints stay locked until the transaction ends.
 * @param wanted by the first of a value's fingerprints, all of them
 * @returns by the first fingerprint
 */
export async function findDuplicates(
  vault: VaultContext,
  tx: Queryable,
  { caller, now, updatesDuplicates }: DraftContext,
  wanted: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, StoredRow>> {
  if (wanted.size === 0) return new Map();
  const fingerprints = [...wanted.values()].flat();
  await lockFingerprints(tx, caller.tenantId, fingerprints);
  const keys = await selectOldest(tx, caller.tenantId, fingerprints, now);
  if (keys.length === 0) return new Map();
  if (updatesDuplicates) await lockTokens(tx, keys);
  const rows = await selectRows(tx, keys, vault.limits.readBytes);
  if (rows === undefined) throw new AppError('too_large', 'The tokens of this request hold too much data.');
  await requireAuthentic(vault.keyring, rows);
  // The row may have changed or expired since it was selected.
  const found = rows.filter((row) => !isExpired(row, now.getTime()));
  return new Map(
    [...wanted].flatMap(([name, all]) => {
      const [oldest] = found.filter((row) => all.includes(row.fingerprint ?? '')).toSorted(byAge);
      return oldest === undefined ? [] : [[name, oldest] as const];
    }),
  );
}

function byAge(one: StoredRow, other: StoredRow): number {
  const difference = one.createdAt.getTime() - other.createdAt.getTime();
  return difference === 0 && one.id < other.id ? -1 : difference;
}
