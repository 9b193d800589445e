import { holdsAnywhere } from '@glovebox/access/rules';

import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { Outlines } from '../../invocations/outlines.ts';

/** How often each proxy and reactor was invoked lately, the most first (contract/invocations.md#figures). */
export async function getInvocationFigures(
  { outlines }: { readonly outlines: Pick<Outlines, 'recent'> },
  { principal, query }: Call,
): Promise<Reply> {
  new QueryReader(query).done();
  const { since, subjects } = await outlines.recent(principal.tenantId);
  const data = subjects
    .filter(({ subject: { type } }) =>
      holdsAnywhere(principal.grants, type === 'proxy' ? 'proxy:read' : 'reactor:read'),
    )
    .toSorted((one, other) => other.requests - one.requests);
  return { status: 200, body: { since: since.toISOString(), data } };
}
