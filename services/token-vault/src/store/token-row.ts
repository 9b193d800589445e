import type { JsonValue } from '../values/json-value.ts';

/** A token in the database: only its data is sealed. */
export interface TokenRow {
  readonly tenantId: string;
  readonly id: string;
  readonly revision: string;
  readonly type: string;
  readonly container: string;
  readonly sealedData: Buffer;
  readonly mask: JsonValue;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly fingerprint: string | null;
  readonly fingerprintExpression: string | null;
  readonly searchIndexes: readonly string[];
  readonly encryption: JsonValue;
  readonly expiresAt: Date | null;
  readonly expiresAtText: string | null;
  /** When the security code of a card expires; null: none. */
  readonly cvcExpiresAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly modifiedBy: string | null;
  readonly modifiedAt: Date | null;
}

export type TokenHead = Omit<TokenRow, 'sealedData'>;

/** What beside the other columns it takes to authenticate a row. */
interface RowProof {
  /** Null: sealed in format 1, without a tag. */
  readonly tag: Buffer | null;
  readonly searchHashes: readonly Buffer[];
}

/** A row as the database has it. Nothing of it may be used before it is authenticated (tokens/authentic-rows.ts). */
export interface StoredRow extends TokenRow, RowProof {}

export interface StoredHead extends TokenHead, RowProof {
  /** Of the sealed data. */
  readonly envelopeHead: Buffer;
}

/** An expired token counts as deleted, even before its row is. */
export function isExpired(row: Pick<TokenRow, 'expiresAt'>, now: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() <= now;
}
