import { type AppError, toAppError } from '@glovebox/platform/errors/app-error';

import { type EnvelopeFormat, readHead } from '../crypto/envelope.ts';
import { IntegrityViolation } from '../crypto/integrity-violation.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { type TaggedValue, isTagOf, tagOf } from '../crypto/row-tag.ts';
import type { DataKey } from '../crypto/tenant-keys.ts';
import type { StoredHead, StoredRow } from '../store/token-row.ts';

const label = 'glovebox/token/1';

/** A row of which the tag is to be made. */
export type UntaggedRow = Omit<StoredRow, 'tag'>;

/** Why nothing of a row may be used, not even to decide; undefined: it authenticates. */
export async function problemOf(
  keyring: Keyring,
  row: StoredRow | StoredHead,
): Promise<AppError | undefined> {
  try {
    const { keyVersion } = readHead(envelopeOf(row));
    const key = await keyring.sealingKey(row.tenantId, keyVersion);
    return isAuthentic(key, row) ? undefined : new IntegrityViolation(row.id);
  } catch (error) {
    return error instanceof IntegrityViolation ? new IntegrityViolation(row.id) : toAppError(error);
  }
}

/** @throws IntegrityViolation for the first row that does not authenticate */
export async function requireAuthentic(
  keyring: Keyring,
  rows: readonly (StoredRow | StoredHead)[],
): Promise<void> {
  for (const row of rows) {
    const problem = await problemOf(keyring, row);
    if (problem !== undefined) throw problem;
  }
}

/** The tag that the row needs under the key of its envelope; null: none, it is sealed in format 1. */
export function tagFor({ tag }: DataKey, row: UntaggedRow): Buffer | null {
  const { format, head } = readHead(row.sealedData);
  return format === 1 ? null : tagOf(tag, label, valuesOf(row, head));
}

function isAuthentic(key: DataKey, row: StoredRow | StoredHead): boolean {
  const { format, head } = readHead(envelopeOf(row));
  if (!isAccepted(key, format, row.tag)) return false;
  return row.tag === null || isTagOf(row.tag, key.tag, label, valuesOf(row, head));
}

/** Whether format and tag belong together, and the key still accepts the format. */
export function isAccepted({ rowFormat }: DataKey, format: EnvelopeFormat, tag: Buffer | null): boolean {
  return format === 1 ? rowFormat === 1 && tag === null : tag !== null;
}

function envelopeOf(row: StoredRow | StoredHead): Buffer {
  return 'sealedData' in row ? row.sealedData : row.envelopeHead;
}

/**
 * Every column that a decision or a view reads, in a form that does not depend on how the database writes it. A test
 * compares this list with the table.
 */
function valuesOf(row: Omit<StoredHead, 'tag' | 'envelopeHead'>, head: Uint8Array): TaggedValue[] {
  return [
    row.tenantId.toLowerCase(),
    row.id,
    row.revision,
    Buffer.from(head).toString('hex'),
    row.type,
    row.container,
    JSON.stringify(row.mask),
    row.metadata === null ? null : JSON.stringify(Object.entries(row.metadata).toSorted(byName)),
    row.fingerprint,
    row.fingerprintExpression,
    JSON.stringify(row.searchIndexes),
    row.searchHashes.map((hash) => hash.toString('hex')).join(' '),
    JSON.stringify(row.encryption),
    millisecondsOf(row.expiresAt),
    row.expiresAtText,
    millisecondsOf(row.cvcExpiresAt),
    row.createdBy.toLowerCase(),
    millisecondsOf(row.createdAt),
    row.modifiedBy?.toLowerCase() ?? null,
    millisecondsOf(row.modifiedAt),
  ];
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}

/** Vaults write whole milliseconds. `infinity` is no Date, and never written. */
export function millisecondsOf(moment: unknown): TaggedValue {
  if (moment === null) return null;
  return moment instanceof Date ? String(moment.getTime()) : 'not a moment';
}
