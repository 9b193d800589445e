import { valueOf } from '@glovebox/egress/header-list';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ProxyRecord } from '@glovebox/published/records';
import type { Difference } from '@glovebox/published/shadow-figures';
import type { ShadowRuns, Tried } from '@glovebox/published/shadow-runs';
import { type ShownName, shownNames } from '@glovebox/published/shown-names';

import { Stages } from '../../http/stages.ts';
import { untracked } from '../../idempotency/invocation-progress.ts';
import type { RunnerClient } from '../../runner/runner-client.ts';
import type { DetokenizedRequest } from '../detokenize/detokenize-request.ts';
import type { OutboundMessage } from '../forward/outbound-request.ts';
import { isTransformable } from '../receive/receive-request.ts';
import { type ProxyInvocation, type Side, createInvocation, stepsOf } from '../resolve/proxy-invocation.ts';
import { transformRequest } from '../transform/transform-request.ts';
import { transformResponse } from '../transform/transform-response.ts';
import type { Message } from '../transform/transformation.ts';
import { compareMessages } from './compare-messages.ts';
import { NotComparable, ShadowEnded, ShadowRunner, noVault } from './shadow-runner.ts';
import type { Shadow } from './shadow.ts';

export interface TryDependencies {
  readonly runner: Pick<RunnerClient, 'shadowTransform' | 'run' | 'requireConnection'>;
  readonly maxTransformedBytes: number;
}

/** Has the second version tried on a request that has its answer, if there is something to compare. */
export function tryAfterAnswer(
  shadow: Shadow,
  { shadows, ...dependencies }: TryDependencies & { readonly shadows: Pick<ShadowRuns, 'begin'> },
): void {
  const { rolloutId, second, bytes } = shadow;
  if (shadow.request === undefined && shadow.response === undefined) return;
  const attempt = () => tryVersion(shadow, dependencies);
  shadows.begin({ rolloutId, version: second.version, bytes, attempt });
}

/**
 * Runs the transforms of the second version on what the present one has got, and compares what both made of it
 * (contract/rollouts.md#shadow). Nothing is sent, opened or made.
 * @returns undefined where nothing can be compared
 * @throws AppError when the code cannot be run now
 */
async function tryVersion(shadow: Shadow, dependencies: TryDependencies): Promise<Tried | undefined> {
  const shown = shownNames(shadow.invocation.proxy, shadow.second, textsOf);
  const request = await trySide('request', () => tryRequest(shadow, shown, dependencies));
  // A version that has not sent the request never gets the answer.
  if (request !== undefined && hasEnded(request)) return request;
  const response = await trySide('response', () => tryResponse(shadow, shown, dependencies));
  if (request === undefined || response === undefined) return request ?? response;
  return {
    differences: [...request.differences, ...response.differences],
    failed: request.failed || response.failed,
  };
}

function textsOf(proxy: ProxyRecord): readonly string[] {
  const steps = [...stepsOf(proxy, 'request'), ...stepsOf(proxy, 'response')];
  return [proxy.requestTransformCode, proxy.responseTransformCode, ...steps.map(({ location }) => location)];
}

const hasEnded = ({ differences, failed }: Tried): boolean =>
  failed || differences.some(({ kind }) => kind === 'answered' || kind === 'failed');

async function tryRequest(
  shadow: Shadow,
  shown: ShownName,
  dependencies: TryDependencies,
): Promise<readonly Difference[] | undefined> {
  if (shadow.request === undefined || !isComparable(shadow, 'request')) return undefined;
  const { input, made } = shadow.request;
  if (shadow.second.requestTransformCode !== '') requireTransformable(input);
  const message = await transformRequest(invocationOf(shadow), input, wired(dependencies));
  return compareMessages('request', plainMessage(input, made), plainMessage(input, message), shown);
}

async function tryResponse(
  shadow: Shadow,
  shown: ShownName,
  dependencies: TryDependencies,
): Promise<readonly Difference[] | undefined> {
  if (shadow.response === undefined || !isComparable(shadow, 'response')) return undefined;
  const { input, made } = shadow.response;
  const message = await transformResponse(invocationOf(shadow), input, wired(dependencies));
  return compareMessages('response', made, message, shown);
}

/** Tokens would have to be made. */
function isComparable({ second }: Shadow, side: Side): boolean {
  return !stepsOf(second, side).some(({ type }) => type === 'tokenize');
}

/** As the version would refuse it. */
function requireTransformable({ headers, received, grammar }: DetokenizedRequest): void {
  if (received.kind === 'empty' || isTransformable(grammar)) return;
  const named = bodyGrammar(valueOf(headers, 'content-type'));
  // It was not read as what it is, since the present version does not look into it.
  if (isTransformable(named)) throw new NotComparable('the body was not read');
  throw new ShadowEnded({ kind: 'refused', status: 415 });
}

const wired = ({ runner, maxTransformedBytes }: TryDependencies) => ({
  runner: new ShadowRunner(runner),
  vault: noVault,
  maxTransformedBytes,
});

/** The invocation as that of the second version; the answer is out, so nothing of the exchange changes any more. */
function invocationOf({ invocation, second }: Shadow): ProxyInvocation {
  const { exchange, target, caller } = invocation;
  const own = {
    ...exchange,
    stages: new Stages(),
    logFields: { ...exchange.logFields },
    outlineNotes: { ...exchange.outlineNotes },
    onEnded: undefined,
  };
  return createInvocation(own, { target, caller, proxy: second }, untracked);
}

/** A body that goes on with its Content-Encoding is compared as what it says. */
function plainMessage(
  { received }: DetokenizedRequest,
  { headers, body, decoded }: OutboundMessage,
): Message {
  const text = !decoded && received.kind === 'whole' ? received.text : body;
  return { headers, body: Buffer.isBuffer(text) ? text : undefined };
}

async function trySide(
  side: Side,
  run: () => Promise<readonly Difference[] | undefined>,
): Promise<Tried | undefined> {
  try {
    const differences = await run();
    return differences === undefined ? undefined : { differences, failed: false };
  } catch (error) {
    return ended(side, error);
  }
}

/** @throws AppError that says nothing of the version */
function ended(side: Side, error: unknown): Tried | undefined {
  if (error instanceof NotComparable) return undefined;
  const path = `/${side}`;
  if (error instanceof ShadowEnded) {
    const { ending } = error;
    if (ending.kind === 'responded') return { differences: [{ path, kind: 'answered' }], failed: false };
    // One of its own errors for the caller is no failure (contract/errors.md#thrown-errors).
    const failed = ending.status === 422 || ending.status >= 500;
    return { differences: [{ path, kind: failed ? 'failed' : 'answered' }], failed };
  }
  if (!(error instanceof AppError) || passing.has(error.code)) throw error;
  return { differences: [{ path, kind: 'failed' }], failed: true };
}

const passing: ReadonlySet<string> = new Set([
  'unavailable',
  'vault_sealed',
  'cancelled',
  'deadline_exceeded',
  'rate_limited',
]);
