import { type ListTokens, Paging } from '@glovebox/protos/vault/v1/vault';

import { readListQuery } from '../search/list-query.ts';
import { Problems } from '../tokens/problems.ts';
import type { VaultContext } from '../vault-context.ts';
import type { IdentifiedCall, Outcome } from './open-call.ts';
import { refuseWithout } from './refuse-without.ts';
import { servePage } from './serve-page.ts';

/** Tokens that the caller may read (api-facts 3.3). */
export async function listTokens(
  vault: VaultContext,
  identified: IdentifiedCall,
  { query, paging }: ListTokens,
): Promise<Outcome> {
  await refuseWithout(vault, identified, 'read');
  const byCursor = paging === Paging.PAGING_CURSOR;
  const problems = new Problems();
  const { filter, page } = readListQuery(query, byCursor, problems.at(''));
  problems.throwIfAny();
  const order = byCursor ? 'container' : 'newest';
  return servePage(vault, identified, { operation: 'read', purpose: 'list', filter, order, page });
}
