import { AppError, toAppError } from '@glovebox/platform/errors';

import { CannotOpenError } from '../crypto/cannot-open-error.ts';
import { type Binding, type SealingKey, keyVersionOf, open } from '../crypto/envelope.ts';
import type { TokenRow } from '../store/token-row.ts';
import type { TokenKey } from '../store/token-rows.ts';
import type { VaultContext } from '../vault-context.ts';
import type { Verdict } from './judge-read.ts';

/** Where a token's data belongs. The field's prefix keeps it apart from what Seal and Open handle. */
export function dataBinding({ tenantId, id }: TokenKey): Binding {
  return { tenantId, recordId: id, field: 'token/data' };
}

/**
 * Fetches each key that granted rows are sealed under once, so that opening a row is a plain function that gives
 * JSON text. A key that can't be had fails the rows that need it, not the frame.
 */
export async function openerOf(
  vault: VaultContext,
  verdicts: readonly Verdict[],
): Promise<(row: TokenRow) => string> {
  const keys = new Map<string, SealingKey | AppError>();
  for (const { granted } of verdicts) {
    for (const { row } of granted) {
      const name = keyNameOf(row);
      if (name !== undefined && !keys.has(name)) keys.set(name, await fetchKey(vault, row));
    }
  }
  return (row) => {
    const key = keys.get(keyNameOf(row) ?? '');
    if (key === undefined || key instanceof AppError) throw key ?? new CannotOpenError();
    const data = open(key, dataBinding(row), row.sealedData);
    vault.metrics.opened.add(1);
    return data.toString();
  };
}

/** Undefined when the bytes are no envelope; opening them then fails as opening anything wrong does. */
function keyNameOf(row: TokenRow): string | undefined {
  try {
    return `${row.tenantId} ${keyVersionOf(row.sealedData)}`;
  } catch {
    return undefined;
  }
}

async function fetchKey(vault: VaultContext, row: TokenRow): Promise<SealingKey | AppError> {
  try {
    return await vault.keyring.sealingKey(row.tenantId, keyVersionOf(row.sealedData));
  } catch (error) {
    return toAppError(error);
  }
}
