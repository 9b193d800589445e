import { AppError } from '@glovebox/platform/errors/app-error';

import { identifyTokenCaller } from '../authentication/identify-token-caller.ts';
import { requireUse } from '../authentication/require-use.ts';
import type { Exchange } from '../http/exchange.ts';
import { respondJson } from '../http/respond.ts';
import { isUuid } from '../http/uuid.ts';
import type { ReactRoute } from './react.ts';
import { readReactorId } from './read-reactor-id.ts';

/** `GET /reactors/{id}/results/{request_id}`: what `/react` would have answered, once that is known. */
export async function reactorResult(
  exchange: Exchange,
  route: ReactRoute,
  id: string,
  request: string,
): Promise<void> {
  const { principal, apiKey } = await identifyTokenCaller(exchange, route.registry);
  requireUse(principal);
  const reactorId = readReactorId(id);
  exchange.notes.reactorId = reactorId;
  if (!isUuid(request)) {
    throw new AppError('not_found', 'There is no such request, or it has no result yet.');
  }
  const requestId = request.toLowerCase();
  respondJson(exchange, 200, await route.runner.reactorResult(exchange, { reactorId, requestId, apiKey }));
}
