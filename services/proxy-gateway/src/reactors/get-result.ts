import { respondJson } from '../http/respond.ts';
import { readUuid } from '../http/uuid.ts';
import { type ReactorHandler, authenticateReactorCaller } from './react.ts';

/** `GET /reactors/{id}/results/{request_id}`: the answer that `/react` would have given, once it is known. */
export const getResult: ReactorHandler = async (exchange, dependencies, id, request) => {
  const { caller, reactorId } = await authenticateReactorCaller(exchange, dependencies, id);
  const requestId = readUuid(request, 'There is no such request, or it has no result yet.');
  const call = { reactorId, requestId, apiKey: caller.apiKey };
  respondJson(exchange, 200, await dependencies.runner.reactorResult(exchange, call));
};
