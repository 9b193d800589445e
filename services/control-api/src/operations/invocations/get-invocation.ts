import { AppError } from '@glovebox/platform/errors/app-error';

import type { Call, Reply } from '../../http/call.ts';
import { everyInvocation, isShown } from '../../invocations/invocation-filter.ts';
import type { InvocationDependencies } from './list-invocations.ts';

/** Read at once. */
const batch = 250;

/** One invocation, while it is kept (contract/invocations.md#list). @throws AppError `not_found` */
export async function getInvocation(
  { outlines }: InvocationDependencies,
  { principal, id }: Call,
): Promise<Reply> {
  let before: string | undefined;
  for (;;) {
    const read = await outlines.latest(principal.tenantId, batch, before);
    const found = read.find(({ outline }) => outline.id === id)?.outline;
    if (found !== undefined && isShown(found, everyInvocation, principal))
      return { status: 200, body: found };
    before = read.at(-1)?.place;
    if (found !== undefined || read.length < batch) {
      throw new AppError('not_found', 'There is no such invocation, or it is not kept any more.');
    }
  }
}
