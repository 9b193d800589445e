import { readUuid } from '../http/uuid.ts';
import { type ReactorHandler, authenticateReactorCaller, respondAnswered } from './react.ts';

/** `GET /reactors/{id}/results/{request_id}`: the answer that `/react` would have given, once it is known. */
export const getResult: ReactorHandler = async (exchange, dependencies, id, request) => {
  const { caller, reactorId } = await authenticateReactorCaller(exchange, dependencies, id);
  const requestId = readUuid(request, 'There is no such request, or it has no result yet.');
  const call = { reactorId, requestId, apiKey: caller.apiKey };
  respondAnswered(exchange, await dependencies.runner.reactorResult(exchange, call));
};
