import type { ReactorAnswered, RolloutBy, RunReactor } from '@glovebox/protos/runner/v1/runner';
import type { PublishedLookups } from '@glovebox/published/published-lookups';

import {
  type AuthenticatedCaller,
  authenticateTokenCaller,
  requireTokenUse,
} from '../authentication/authenticate.ts';
import { guardHeader } from '../guard/response-guard.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonOrFormBody } from '../http/read-json-body.ts';
import { respondEmpty, respondJson } from '../http/respond.ts';
import type { Handler } from '../http/router.ts';
import { readReactorId } from '../http/uuid.ts';
import { beforeCode } from '../idempotency/invocation-progress.ts';
import { type IdempotencyDependencies, invokeIdempotently } from '../idempotency/invoke-idempotently.ts';
import type { KeepOutline } from '../invocation-log/keep-outlines.ts';
import type { RunnerClient } from '../runner/runner-client.ts';

export interface ReactorDependencies extends IdempotencyDependencies {
  readonly published: PublishedLookups;
  readonly runner: RunnerClient;
  readonly maxReactBytes: number;
  readonly keepOutline: KeepOutline;
}

export type ReactorHandler = Handler<ReactorDependencies>;

/**
 * `POST /reactors/{id}/react` (contract/reactors.md#invocation). The runner authorizes the caller by itself and runs
 * the code; the checks here only spare it the call. With a `callback_url` the answer is 202, and the result is sent
 * there (contract/reactors.md#asynchronous-invocation).
 */
export const react: ReactorHandler = async (exchange, dependencies, id) => {
  if (exchange.isDryRun) return dryRunReactor(exchange, dependencies, id);
  await invokeReactor(exchange, dependencies, id, async (call) => {
    const answered = await dependencies.runner.react(exchange, call);
    if (answered === undefined) respondEmpty(exchange, 202);
    else respondAnswered(exchange, answered);
  });
};

/** Decides everything, and does nothing (contract/dry-runs.md#dry-runs). No idempotency key is looked at. */
async function dryRunReactor(
  exchange: Exchange,
  dependencies: ReactorDependencies,
  id: string,
): Promise<void> {
  const { caller, reactorId } = await authenticateReactorCaller(exchange, dependencies, id);
  const body = await readJsonOrFormBody(exchange, dependencies.maxReactBytes);
  const { strict } = exchange.warnings;
  const by = await decidesBy(exchange, dependencies, reactorId);
  const reactor = { reactorId, apiKey: caller.apiKey, body, strict, by };
  respondJson(exchange, 200, await dependencies.runner.dryReact(exchange, { reactor }));
}

/** The answer of a reactor; it says what the reactor's leak guard reports (contract/reactors.md#leak-guard). */
export function respondAnswered(exchange: Exchange, { json, leaks }: ReactorAnswered): void {
  respondJson(exchange, 200, json, leaks ? guardHeader : []);
}

/** `POST /reactors/{id}/react-async`: answered when the arguments are ready and wait for a worker. */
export const reactAsync: ReactorHandler = async (exchange, dependencies, id) => {
  await invokeReactor(exchange, dependencies, id, async (call) => {
    const asyncReactorRequestId = await dependencies.runner.reactAsync(exchange, call);
    respondJson(exchange, 202, JSON.stringify({ asyncReactorRequestId }));
  });
};

async function invokeReactor(
  exchange: Exchange,
  dependencies: ReactorDependencies,
  id: string,
  invoke: (call: RunReactor) => Promise<void>,
): Promise<void> {
  const { runner, maxReactBytes } = dependencies;
  const { caller, reactorId } = await authenticateReactorCaller(exchange, dependencies, id);
  await invokeIdempotently(exchange, caller, reactorId, dependencies, async (progress) => {
    const { tenantId } = caller.principal;
    exchange.onEnded = () =>
      dependencies.keepOutline(exchange, { tenantId, subject: { type: 'reactor', id: reactorId } });
    const body = await readJsonOrFormBody(exchange, maxReactBytes);
    const by = await decidesBy(exchange, dependencies, reactorId);
    beforeCode(progress, runner);
    await invoke({ reactorId, apiKey: caller.apiKey, body, strict: exchange.warnings.strict, by });
  });
}

/** What the runner needs to decide on the version by a header (contract/rollouts.md#who-gets-which-version). */
async function decidesBy(
  { request }: Exchange,
  { published }: ReactorDependencies,
  reactorId: string,
): Promise<RolloutBy | undefined> {
  const header = (await published.reactorRolloutById(reactorId))?.header ?? '';
  return header === '' ? undefined : { header, value: request.headers[header]?.toString() };
}

export async function authenticateReactorCaller(
  exchange: Exchange,
  { published }: ReactorDependencies,
  id: string,
): Promise<{ readonly caller: AuthenticatedCaller; readonly reactorId: string }> {
  const caller = await authenticateTokenCaller(exchange, published);
  requireTokenUse(caller.principal);
  const reactorId = readReactorId(id);
  exchange.logFields.reactorId = reactorId;
  return { caller, reactorId };
}
