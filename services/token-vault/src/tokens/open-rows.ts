import { AppError, toAppError } from '@glovebox/platform/errors/app-error';

import { CannotOpenError } from '../crypto/cannot-open-error.ts';
import { type Binding, type SealingKey, keyVersionOf, open } from '../crypto/envelope.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { TokenRow } from '../store/token-row.ts';
import type { TokenKey } from '../store/token-rows.ts';
import { parseJson } from '../values/json-value.ts';
import { withoutSecurityCode } from './security-code.ts';

interface Opening {
  readonly keyring: Keyring;
  readonly metrics: { readonly opened: { add(count: number): void } };
}

/** Binds the data to its token. The field's prefix separates it from what Seal and Open handle. */
export function dataBinding({ tenantId, id }: TokenKey): Binding {
  return { tenantId, recordId: id, field: 'token/data' };
}

/** Fetches each key once, so that opening a row is synchronous. A missing key fails only the rows that need it. */
export async function openerOf(
  vault: Opening,
  decisions: readonly { readonly granted: readonly { readonly row: TokenRow }[] }[],
): Promise<(row: TokenRow) => string> {
  const keys = new Map<string, SealingKey | AppError>();
  for (const { granted } of decisions) {
    for (const { row } of granted) {
      const name = keyNameOf(row);
      if (name !== undefined && !keys.has(name)) keys.set(name, await fetchKey(vault, row));
    }
  }
  return (row) => {
    const key = keys.get(keyNameOf(row) ?? '');
    if (key === undefined || key instanceof AppError) throw key ?? new CannotOpenError();
    const data = open(key, dataBinding(row), row.sealedData).toString();
    vault.metrics.opened.add(1);
    return hasExpiredCode(row, Date.now()) ? withoutCode(row, data) : data;
  };
}

/** Opens the data of one row: JSON text. */
export async function openRow(
  vault: Opening,
  row: Pick<TokenRow, 'tenantId' | 'id' | 'type' | 'sealedData' | 'cvcExpiresAt'>,
): Promise<string> {
  const key = await vault.keyring.sealingKey(row.tenantId, keyVersionOf(row.sealedData));
  const data = open(key, dataBinding(row), row.sealedData).toString();
  vault.metrics.opened.add(1);
  return hasExpiredCode(row, Date.now()) ? withoutCode(row, data) : data;
}

/** An expired security code counts as removed, even before it is. */
function hasExpiredCode({ cvcExpiresAt }: Pick<TokenRow, 'cvcExpiresAt'>, now: number): boolean {
  return cvcExpiresAt !== null && cvcExpiresAt.getTime() <= now;
}

function withoutCode({ type }: Pick<TokenRow, 'type'>, json: string): string {
  const data = parseJson(json);
  const kept = withoutSecurityCode(type, data);
  return kept === data ? json : JSON.stringify(kept);
}

/** Undefined for bytes that are not an envelope; `open` rejects them. */
function keyNameOf(row: TokenRow): string | undefined {
  try {
    return `${row.tenantId} ${keyVersionOf(row.sealedData)}`;
  } catch {
    return undefined;
  }
}

async function fetchKey(vault: Opening, row: TokenRow): Promise<SealingKey | AppError> {
  try {
    return await vault.keyring.sealingKey(row.tenantId, keyVersionOf(row.sealedData));
  } catch (error) {
    return toAppError(error);
  }
}
