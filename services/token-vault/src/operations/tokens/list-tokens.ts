import { type ListTokens, Paging } from '@glovebox/protos/vault/v1/vault';

import { requireTokenPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { readListQuery } from '../../search/list-query.ts';
import type { TokenFilter } from '../../store/token-filter.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';
import { requireParent } from './create-token.ts';
import { servePage } from './serve-page.ts';

/** Lists tokens that the caller may read (contract/tokens.md#operations). */
export async function listTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  { query, paging, parentId }: ListTokens,
): Promise<Outcome> {
  await requireTokenPermission(vault, identified, 'read');
  if (parentId !== '') await requireParent(vault, identified, parentId);
  const byCursor = paging === Paging.PAGING_CURSOR;
  const problems = new ValidationProblems();
  const { pageSize } = vault.limits;
  const { filter: wanted, page } = readListQuery(query, byCursor, pageSize, problems.at(''));
  problems.throwIfAny();
  const filter: TokenFilter =
    parentId === '' ? wanted : { kind: 'and', of: [wanted, { kind: 'child_of', parentId }] };
  const order = byCursor ? 'container' : 'newest';
  return servePage(vault, identified, { operation: 'read', purpose: 'list', filter, order, page });
}
