import { identifyTokenCaller } from '../caller/identify-token-caller.ts';
import { requireUse } from '../caller/require-use.ts';
import type { Exchange } from '../http/exchange.ts';
import { readReactorId } from '../http/read-reactor-id.ts';
import { respondJson } from '../http/respond.ts';
import { beforeCode } from '../idempotency/effects.ts';
import { invokeOnce } from '../idempotency/invoke-once.ts';
import { readBytesAsJson } from '../request/read-json-bytes.ts';
import type { ReactRoute } from './react.ts';

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
