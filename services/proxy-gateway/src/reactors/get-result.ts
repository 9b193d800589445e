import type { Exchange } from '../http/exchange.ts';
import { respondJson } from '../http/respond.ts';
import { readUuid } from '../http/uuid.ts';
import { type ReactorDependencies, authenticateReactorCaller } from './react.ts';

/** `GET /reactors/{id}/results/{request_id}`: the answer that `/react` would have given, once it is known. */
export async function getResult(
  exchange: Exchange,
  dependencies: ReactorDependencies,
  id: string,
  request: string,
): Promise<void> {
  const { caller, reactorId } = await authenticateReactorCaller(exchange, dependencies, id);
  const requestId = readUuid(request, 'There is no such request, or it has no result yet.');
  const call = { reactorId, requestId, apiKey: caller.apiKey };
  respondJson(exchange, 200, await dependencies.runner.reactorResult(exchange, call));
}
