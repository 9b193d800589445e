import type { PublishedRecords } from '@glovebox/published/published-records';

import { identifyTokenCaller } from '../authentication/identify-token-caller.ts';
import { requireUse } from '../authentication/require-use.ts';
import type { Exchange } from '../http/exchange.ts';
import { readBytesAsJson } from '../http/read-json-body.ts';
import { respondEmpty, respondJson } from '../http/respond.ts';
import { beforeCode } from '../idempotency/invocation-progress.ts';
import { type OnceRoute, invokeOnce } from '../idempotency/invoke-idempotently.ts';
import type { RunnerClient } from '../runner/runner-client.ts';
import { readReactorId } from './read-reactor-id.ts';

export interface ReactRoute extends OnceRoute {
  readonly registry: PublishedRecords;
  readonly runner: RunnerClient;
  readonly maxReactBytes: number;
}

/**
 * `POST /reactors/{id}/react` (contract/reactors.md#invocation). The story is told in the runner, which judges the
 * caller by itself: what is refused here does not get that far. With a `callback_url` it is accepted, and answered
 * there (contract/reactors.md#asynchronous-invocation).
 */
export async function react(exchange: Exchange, route: ReactRoute, id: string): Promise<void> {
  const caller = await identifyTokenCaller(exchange, route.registry);
  requireUse(caller.principal);
  const reactorId = readReactorId(id);
  exchange.notes.reactorId = reactorId;
  await invokeOnce(exchange, caller, reactorId, route, async (effects) => {
    const body = await readBytesAsJson(exchange, route.maxReactBytes);
    beforeCode(effects, route.runner);
    const { apiKey } = caller;
    const json = await route.runner.react(exchange, {
      reactorId,
      apiKey,
      body,
      strict: exchange.warnings.strict,
    });
    if (json === undefined) respondEmpty(exchange, 202);
    else respondJson(exchange, 200, json);
  });
}
