import type { Queryable } from '@glovebox/platform/db/postgres';
import { LRUCache } from 'lru-cache';

import { type TokenRow, isExpired } from './token-row.ts';
import { type TokenKey, selectRows } from './token-rows.ts';

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

export interface LoadedRow {
  readonly row: TokenRow;
  /** It may be out of date. */
  readonly cached: boolean;
}

interface RowSources {
  readonly postgres: Queryable;
  readonly rows: RowCache;
  readonly limits: { readonly readBytes: number };
  readonly metrics: Readonly<Record<'rowCacheHits' | 'rowCacheMisses', { add(count: number): void }>>;
}

/** By `nameOf`. */
export type LoadedRows = ReadonlyMap<string, LoadedRow>;

/**
 * Loads the rows that the reads want and that exist. Missing rows are not cached as missing.
 * @returns undefined when there is too much to read at once
 */
export async function loadRows(
  vault: RowSources,
  reads: readonly { readonly caller: { readonly tenantId: string }; readonly tokenIds: readonly string[] }[],
  source: 'cache' | 'database',
): Promise<LoadedRows | undefined> {
  const rows = new Map<string, LoadedRow>();
  const missing = new Map<string, TokenKey>();
  const now = Date.now();
  for (const { caller, tokenIds } of reads) {
    for (const id of tokenIds) {
      const key = { tenantId: caller.tenantId, id };
      const name = nameOf(key);
      if (rows.has(name)) continue;
      const row = source === 'cache' ? vault.rows.get(name) : undefined;
      // An expired row in the cache may have been extended since.
      if (row !== undefined && !isExpired(row, now)) rows.set(name, { row, cached: true });
      else missing.set(name, key);
    }
  }
  vault.metrics.rowCacheHits.add(rows.size);
  if (missing.size === 0) return rows;
  vault.metrics.rowCacheMisses.add(missing.size);
  const read = await selectRows(vault.postgres, [...missing.values()], vault.limits.readBytes);
  if (read === undefined) return undefined;
  for (const row of read) {
    vault.rows.set(row);
    rows.set(nameOf(row), { row, cached: false });
  }
  return rows;
}
