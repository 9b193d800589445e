import { AppError, toAppError } from '@glovebox/platform/errors/app-error';

import { type Binding, type OpeningKey, keyVersionOf, open, seal } from '../crypto/envelope.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { DataKey } from '../crypto/tenant-keys.ts';
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

/** Seals data in the format of its key: in format 2 its row needs a tag (authentic-rows.ts). */
export function sealData(key: DataKey, token: TokenKey, json: string): Buffer {
  return seal(key, dataBinding(token), Buffer.from(json), key.rowFormat);
}

/** Fetches each key once, so that opening a row is synchronous. A missing key fails only the rows that need it. */
export async function openerOf(
  vault: Opening,
  decisions: readonly { readonly granted: readonly { readonly row: TokenRow }[] }[],
): Promise<(row: TokenRow) => string> {
  const keys = new Map<string, OpeningKey | AppError>();
  for (const { granted } of decisions) {
    for (const { row } of granted) {
      const name = keyNameOf(row);
      if (name !== undefined && !keys.has(name)) keys.set(name, await fetchKey(vault, row));
    }
  }
  return (row) => {
    const key = keys.get(keyNameOf(row) ?? '');
    if (key === undefined) throw new IntegrityViolation(row.id);
    if (key instanceof AppError) throw key;
    const data = openData(key, row);
    vault.metrics.opened.add(1);
    return hasExpiredCode(row, Date.now()) ? withoutCode(row, data) : data;
  };
}

/** Opens the data of one row: JSON text. */
export async function openRow(
  vault: Opening,
  row: Pick<TokenRow, 'tenantId' | 'id' | 'type' | 'sealedData' | 'cvcExpiresAt'>,
): Promise<string> {
  const key = await fetchKey(vault, row);
  if (key instanceof AppError) throw key;
  const data = openData(key, row);
  vault.metrics.opened.add(1);
  return hasExpiredCode(row, Date.now()) ? withoutCode(row, data) : data;
}

/** @throws IntegrityViolation that names the token */
function openData(key: OpeningKey, row: Pick<TokenRow, 'tenantId' | 'id' | 'sealedData'>): string {
  try {
    return open(key, dataBinding(row), row.sealedData).toString();
  } catch (error) {
    throw error instanceof IntegrityViolation ? new IntegrityViolation(row.id) : error;
  }
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

async function fetchKey(
  vault: Opening,
  row: Pick<TokenRow, 'tenantId' | 'id' | 'sealedData'>,
): Promise<OpeningKey | AppError> {
  try {
    return await vault.keyring.sealingKey(row.tenantId, keyVersionOf(row.sealedData));
  } catch (error) {
    return error instanceof IntegrityViolation ? new IntegrityViolation(row.id) : toAppError(error);
  }
}
