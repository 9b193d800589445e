import { LRUCache } from 'lru-cache';

import type { TokenRow } from './token-row.ts';
import type { TokenKey } from './token-rows.ts';

export interface RowCacheOptions {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/**
 * Sealed rows that were used lately. A row from here may be out of date: whoever uses one has its revision compared
 * with the database by the statement that writes the audit rows (audit-log.ts), so that a deletion counts at once,
 * whichever vault it went through.
 */
export class RowCache {
  readonly #rows: LRUCache<string, TokenRow>;

  constructor({ maxRows, maxBytes }: RowCacheOptions) {
    this.#rows = new LRUCache({ max: maxRows, maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  /** @param name as `nameOf` gives it */
  get(name: string): TokenRow | undefined {
    return this.#rows.get(name);
  }

  set(row: TokenRow): void {
    this.#rows.set(nameOf(row), row);
  }

  delete(name: string): void {
    this.#rows.delete(name);
  }
}

/** Tells two tokens apart: a tenant's id has a fixed length. */
export function nameOf({ tenantId, id }: TokenKey): string {
  return tenantId + id;
}

const fixedBytes = 1000;

/** Roughly: what a row holds beside its data is bounded by the limits of a token's other fields. */
function bytesOf(row: TokenRow): number {
  const variable = [row.mask, row.metadata, row.encryption, row.searchIndexes];
  const text = variable.reduce<number>((sum, value) => sum + (value ? JSON.stringify(value).length : 0), 0);
  return fixedBytes + row.sealedData.length + text;
}
