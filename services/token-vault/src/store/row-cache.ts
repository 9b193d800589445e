import { LRUCache } from 'lru-cache';

import type { TokenRow } from './token-row.ts';
import type { TokenKey } from './token-rows.ts';

export interface RowCacheOptions {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/**
 * Recently used sealed rows. A cached row may be out of date: the statement that writes the audit rows compares its
 * revision with the database (audit-log.ts), so that a deletion through any vault takes effect at once.
 */
export class RowCache {
  readonly #rows: LRUCache<string, TokenRow>;

  constructor({ maxRows, maxBytes }: RowCacheOptions) {
    this.#rows = new LRUCache({ max: maxRows, maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  /** @param name from `nameOf` */
  get(name: string): TokenRow | undefined {
    return this.#rows.get(name);
  }

  set(row: TokenRow): void {
    this.#rows.set(nameOf(row), row);
  }

  clear(): void {
    this.#rows.clear();
  }

  delete(name: string): void {
    this.#rows.delete(name);
  }
}

/** A unique name: tenant ids have a fixed length. */
export function nameOf({ tenantId, id }: TokenKey): string {
  return tenantId + id;
}

const fixedBytes = 1000;

/** An estimate: the limits of the other fields bound the rest of a row. */
function bytesOf(row: TokenRow): number {
  const variable = [row.mask, row.metadata, row.encryption, row.searchIndexes];
  const text = variable.reduce<number>((sum, value) => sum + (value ? JSON.stringify(value).length : 0), 0);
  return fixedBytes + row.sealedData.length + text;
}
