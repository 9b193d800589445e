import type { PlacedOutline } from '@glovebox/published/outline-store';

import type { Call, Reply } from '../../http/call.ts';
import { isShown } from '../../invocations/invocation-filter.ts';
import type { Outlines } from '../../invocations/outlines.ts';
import { encodeCursor, readInvocationQuery } from './read-invocation-query.ts';

export interface InvocationDependencies {
  readonly outlines: Outlines;
}

/** Read at once. */
const batch = 250;

/**
 * The latest invocations of proxies and reactors, newest first (contract/invocations.md#list). All that is kept of a
 * tenant is bounded, and so is what this reads.
 */
export async function listInvocations(
  { outlines }: InvocationDependencies,
  { principal, query }: Call,
): Promise<Reply> {
  const { filter, size, start } = readInvocationQuery(query);
  const found: PlacedOutline[] = [];
  let before = start;
  while (found.length <= size) {
    const read = await outlines.latest(principal.tenantId, batch, before);
    found.push(...read.filter(({ outline }) => isShown(outline, filter, principal)));
    before = read.at(-1)?.place;
    if (read.length < batch) break;
  }
  const page = found.slice(0, size);
  const last = page.at(-1);
  const next = found.length > size && last !== undefined ? encodeCursor(last.place) : undefined;
  const pagination = { page_size: size, next, after: next };
  return { status: 200, body: { pagination, data: page.map(({ outline }) => outline) } };
}
