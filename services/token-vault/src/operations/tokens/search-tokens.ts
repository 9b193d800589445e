import { Paging, type SearchTokens } from '@glovebox/protos/vault/v1/vault';

import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { searchHash } from '../../crypto/search-hash.ts';
import { readPageRequest } from '../../search/page-request.ts';
import { parseQuery } from '../../search/parse-query.ts';
import { SearchQueryError } from '../../search/query.ts';
import { type FilterOptions, filterOf } from '../../search/to-filter.ts';
import { type TokenFilter, everyToken } from '../../store/token-filter.ts';
import { readText } from '../../tokens/read-fields.ts';
import { own, type JsonValue } from '../../values/json-value.ts';
import { requireObject, readJsonBody } from '../../values/read-json-body.ts';
import { ValidationProblems, type ReportProblem } from '../../values/validation-problems.ts';
import { servePage } from './serve-page.ts';

/** Searches tokens that the caller may search (contract/tokens.md#search). */
export async function searchTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  { body, paging }: SearchTokens,
): Promise<Outcome> {
  await requireTokenPermission(vault, identified, 'search');
  const byCursor = paging === Paging.PAGING_CURSOR;
  const request = body.length === 0 ? {} : requireObject(readJsonBody(body, vault.limits));
  const keys = await vault.keyring.indexKeys(identified.caller.tenantId);
  const problems = new ValidationProblems();
  const report = problems.at('');
  const filter = readQuery(own(request, 'query'), vault.limits.searchQueryLength, report, {
    hashesOf: (value) => [keys, ...keys.others].map(({ search }) => searchHash(search, value)),
    containersCover: byCursor,
  });
  const fields = {
    page: noText(own(request, 'page')),
    size: noText(own(request, 'size')),
    start: own(request, 'start'),
  };
  const page = readPageRequest(fields, byCursor, vault.limits.pageSize, report);
  problems.throwIfAny();
  return servePage(vault, identified, { operation: 'search', purpose: null, filter, order: 'newest', page });
}

/** Only a query string may give numbers as text. */
function noText(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? Number.NaN : value;
}

function readQuery(
  value: JsonValue | undefined,
  maxLength: number,
  report: ReportProblem,
  options: FilterOptions,
): TokenFilter {
  try {
    const query = parseQuery(readText(value, 'query', report) ?? '', maxLength);
    return query === undefined ? everyToken : filterOf(query, options);
  } catch (error) {
    if (!(error instanceof SearchQueryError)) throw error;
    report('query', error.message);
    return everyToken;
  }
}
