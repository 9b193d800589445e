import { identifyTokenCaller } from '../authentication/identify-token-caller.ts';
import { requireUse } from '../authentication/require-use.ts';
import type { Exchange } from '../http/exchange.ts';
import { readBytesAsJson } from '../http/read-json-body.ts';
import { respondJson } from '../http/respond.ts';
import { beforeCode } from '../idempotency/invocation-progress.ts';
import { invokeOnce } from '../idempotency/invoke-idempotently.ts';
import type { ReactRoute } from './react.ts';
import { readReactorId } from './read-reactor-id.ts';

/** `POST /reactors/{id}/react-async`: as `/react`, answered when the arguments are ready and wait for their turn. */
export async function reactAsync(exchange: Exchange, route: ReactRoute, id: string): Promise<void> {
  const caller = await identifyTokenCaller(exchange, route.registry);
  requireUse(caller.principal);
  const reactorId = readReactorId(id);
  exchange.notes.reactorId = reactorId;
  await invokeOnce(exchange, caller, reactorId, route, async (effects) => {
    const body = await readBytesAsJson(exchange, route.maxReactBytes);
    beforeCode(effects, route.runner);
    const { apiKey } = caller;
    const asyncReactorRequestId = await route.runner.reactAsync(exchange, {
      reactorId,
      apiKey,
      body,
      strict: exchange.warnings.strict,
    });
    respondJson(exchange, 202, JSON.stringify({ asyncReactorRequestId }));
  });
}
