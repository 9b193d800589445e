import { AppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { type GetReactorResult, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { authorizeInvoker } from '../invocation/authorize-invoker.ts';
import { resolveReactor } from '../invocation/resolve-reactor.ts';
import type { Reply } from '../replies/reply.ts';
import { interrupted } from '../requests/invocation-end.ts';
import type { AcceptContext } from './accept-invocation.ts';

/**
 * The reply that the invocation would have had synchronously. Only the application that invoked the reactor gets it,
 * since other applications may not use the same tokens.
 * @throws AppError
 */
export async function getReactorResult(
  { published, requests, requestSealing }: Pick<AcceptContext, 'published' | 'requests' | 'requestSealing'>,
  { reactorId, requestId, apiKey }: GetReactorResult,
): Promise<Reply> {
  const reactor = await resolveReactor(published, reactorId);
  const { principal } = await authorizeInvoker(published, { credential: apiKey }, reactor);
  const request = await requests.read({ tenantId: reactor.tenantId, requestId }).catch((cause: unknown) => {
    throw new AppError('unavailable', 'Results cannot be read right now.', { cause });
  });
  const isOf = request?.reactorId === reactor.id && request.tenantId === reactor.tenantId;
  if (!isOf || request.applicationId !== principal.applicationId || request.state === 'open') {
    throw new AppError('not_found', 'There is no such request, or it has no result yet.');
  }
  if (request.state === 'interrupted') throw interrupted();
  const place = { tenantId: reactor.tenantId, reactorId: reactor.id, requestId };
  const { outcome } = RunnerReply.decode(await requestSealing.open(place, 'result', request.outcome));
  if (outcome === undefined) throw new Error('the stored result has no outcome');
  if (outcome.$case === 'error') throw fromWireError(outcome.value);
  return outcome;
}
