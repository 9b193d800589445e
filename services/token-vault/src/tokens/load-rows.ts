import type { Queryable } from '@glovebox/platform/db/postgres';
import type { AppError } from '@glovebox/platform/errors/app-error';

import type { Keyring } from '../crypto/keyring.ts';
import { type RowCache, nameOf } from '../store/row-cache.ts';
import { type StoredRow, type TokenRow, isExpired } from '../store/token-row.ts';
import { type TokenKey, selectRows } from '../store/token-rows.ts';
import { problemOf } from './authentic-rows.ts';

export interface LoadedRow {
  readonly row: TokenRow;
  /** It may be out of date. */
  readonly cached: boolean;
  /** Why nothing of the row may be used, not even to decide. */
  readonly problem: AppError | undefined;
}

interface RowSources {
  readonly keyring: Keyring;
  readonly rows: RowCache;
  readonly limits: { readonly readBytes: number };
  readonly metrics: Readonly<Record<'rowCacheHits' | 'rowCacheMisses', { add(count: number): void }>>;
}

/** By `nameOf`. */
export type LoadedRows = ReadonlyMap<string, LoadedRow>;

/**
 * Loads the rows that the reads want and that exist. A row is authenticated as it enters the cache, and not again. Missing
 * rows are not cached as missing.
 * @returns undefined when there is too much to read at once
 */
export async function loadRows(
  vault: RowSources,
  db: Queryable,
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
      if (row !== undefined && !isExpired(row, now))
        rows.set(name, { row, cached: true, problem: undefined });
      else missing.set(name, key);
    }
  }
  vault.metrics.rowCacheHits.add(rows.size);
  if (missing.size === 0) return rows;
  vault.metrics.rowCacheMisses.add(missing.size);
  const read = await selectRows(db, [...missing.values()], vault.limits.readBytes);
  if (read === undefined) return undefined;
  for (const stored of read) {
    const problem = await problemOf(vault.keyring, stored);
    const row = withoutProof(stored);
    if (problem === undefined) vault.rows.set(row);
    rows.set(nameOf(row), { row, cached: false, problem });
  }
  return rows;
}

/** Drops the columns that are only needed to authenticate a row, so that the cache does not hold them. */
function withoutProof({ tag: _tag, searchHashes: _searchHashes, ...row }: StoredRow): TokenRow {
  return row;
}
