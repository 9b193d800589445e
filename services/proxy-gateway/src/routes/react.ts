import type { Registry } from '@glovebox/published/registry';

import { identifyTokenCaller } from '../caller/identify-token-caller.ts';
import { requireUse } from '../caller/require-use.ts';
import type { Exchange } from '../http/exchange.ts';
import { readReactorId } from '../http/read-reactor-id.ts';
import { respondJson } from '../http/respond.ts';
import { readBytesAsJson } from '../request/read-json-bytes.ts';
import type { RunnerClient } from '../runner/runner-client.ts';

export interface ReactRoute {
  readonly registry: Registry;
  readonly runner: RunnerClient;
  readonly maxReactBytes: number;
}

/**
 * `POST /reactors/{id}/react` (interface.md section 4.9). The story is told in the runner, which judges the caller by
 * itself: what is refused here does not get that far.
 */
export async function react(exchange: Exchange, route: ReactRoute, id: string): Promise<void> {
  const { principal, apiKey } = await identifyTokenCaller(exchange, route.registry);
  requireUse(principal);
  const reactorId = readReactorId(id);
  exchange.notes.reactorId = reactorId;
  const body = await readBytesAsJson(exchange, route.maxReactBytes);
  respondJson(exchange, 200, await route.runner.react(exchange, { reactorId, apiKey, body }));
}
