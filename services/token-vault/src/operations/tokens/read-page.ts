import { AppError, type FieldProblems, validationError } from '@glovebox/platform/errors/app-error';

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

/**
 * All tokens before a page with a number are passed over to find it, so there is an end to numbers.
 * @throws AppError `unavailable` on a timeout: the vault was too slow, not a destination; `invalid_argument` beyond that end
 */
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

const tooDeep = (deepest: number): FieldProblems => ({
  page: [`must end within the first ${deepest} tokens; use start beyond`],
});

async function selectAndCount(
  { postgres, counts, limits: { mostCounted } }: VaultContext,
  selection: Selection,
  order: TokenOrder,
  page: PageRequest,
): Promise<ReadPage> {
  const { size } = page;
  const db = postgres.forTenant(selection.tenantId);
  if (page.kind === 'numbered') {
    const total = await counts.count(db, selection);
    const offset = (page.number - 1) * size;
    if (total >= mostCounted && offset + size > mostCounted) throw validationError(tooDeep(mostCounted));
    const rows = offset < total ? await selectPage(db, selection, order, { offset }, size) : [];
    return { rows, pagination: numberedPagination(total, page.number, size) };
  }
  const rows = await selectPage(db, selection, order, { after: page.after }, size + 1);
  const last = rows.length > size ? rows[size - 1] : undefined;
  // Clients know it by either name (contract/conventions.md#pagination).
  const next = last === undefined ? {} : { next: startAfter(last), after: startAfter(last) };
  return { rows: rows.slice(0, size), pagination: { page_size: size, ...next } };
}
