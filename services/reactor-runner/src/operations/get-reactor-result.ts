import { AppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { type GetReactorResult, RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { authorizeInvoker } from '../invocation/authorize-invoker.ts';
import { resolveReactor } from '../invocation/resolve-reactor.ts';
import { interrupted } from '../requests/interrupted.ts';
import type { AcceptContext } from './accept-invocation.ts';

/**
 * What the invocation would have been answered by itself, for the application that has made it: what it
 * may use, and so what came of it, is not every other application's.
 * @throws AppError
 */
export async function reactorResult(
  { registry, requests, jobSealing }: Pick<AcceptContext, 'registry' | 'requests' | 'jobSealing'>,
  { reactorId, requestId, apiKey }: GetReactorResult,
): Promise<NonNullable<RunnerReply['outcome']>> {
  const reactor = await resolveReactor(registry, reactorId);
  const { principal } = await authorizeInvoker(registry, { credential: apiKey }, reactor);
  const request = await requests.read(requestId).catch((cause: unknown) => {
    throw new AppError('unavailable', 'Results cannot be read right now.', { cause });
  });
  const isOf = request?.reactorId === reactor.id && request.tenantId === reactor.tenantId;
  if (!isOf || request.applicationId !== principal.applicationId || request.state === 'open') {
    throw new AppError('not_found', 'There is no such request, or it has no result yet.');
  }
  if (request.state === 'interrupted') throw interrupted();
  const place = { tenantId: reactor.tenantId, reactorId: reactor.id, requestId };
  const { outcome } = RunnerReply.decode(await jobSealing.open(place, 'result', request.outcome));
  if (outcome === undefined) throw new Error('a result without an outcome was kept');
  if (outcome.$case === 'error') throw fromWireError(outcome.value);
  return outcome;
}
