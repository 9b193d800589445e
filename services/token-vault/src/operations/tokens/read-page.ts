import { AppError } from '@glovebox/platform/errors/app-error';

import type { VaultContext } from '../../context/vault-context.ts';
import { numberedPagination, type PageRequest, startAfter } from '../../search/page-request.ts';
import { type Selection, type TokenOrder, selectPage } from '../../store/list-tokens.ts';
import type { StoredHead } from '../../store/token-row.ts';
import type { JsonObject } from '../../values/json-value.ts';

interface ReadPage {
  readonly rows: readonly StoredHead[];
  /** As the API shows it (contract/conventions.md#pagination). */
  readonly pagination: JsonObject;
}

/** @throws AppError `unavailable` on a timeout: the vault was too slow, not a destination */
export async function readPage(
  vault: VaultContext,
  selection: Selection,
  order: TokenOrder,
  page: PageRequest,
): Promise<ReadPage> {
  try {
    return await selectAndCount(vault, selection, order, page);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'deadline_exceeded') throw error;
    throw new AppError('unavailable', 'The tokens were not found in time. Narrow the list or the search.', {
      cause: error,
    });
  }
}

async function selectAndCount(
  { postgres, counts }: VaultContext,
  selection: Selection,
  order: TokenOrder,
  page: PageRequest,
): Promise<ReadPage> {
  const { size } = page;
  const db = postgres.forTenant(selection.tenantId);
  if (page.kind === 'numbered') {
    const total = await counts.count(db, selection);
    const offset = (page.number - 1) * size;
    const rows = offset < total ? await selectPage(db, selection, order, { offset }, size) : [];
    return { rows, pagination: numberedPagination(total, page.number, size) };
  }
  const rows = await selectPage(db, selection, order, { after: page.after }, size + 1);
  const last = rows.length > size ? rows[size - 1] : undefined;
  // Clients know it by either name (contract/conventions.md#pagination).
  const next = last === undefined ? {} : { next: startAfter(last), after: startAfter(last) };
  return { rows: rows.slice(0, size), pagination: { page_size: size, ...next } };
}
