import { hash } from 'node:crypto';

import { AppError, type FieldProblems, validationError } from '@glovebox/platform/errors/app-error';
import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import { type TryRequest, type TryResponse, TransformSide } from '@glovebox/protos/runner/v1/runner';
import type { PublishedRecords } from '@glovebox/published/published-records';

import { codeReachOf } from '../configurations/code-reach-of.ts';
import { parseLog } from '../invocation-log/invocation-text.ts';
import { resultProblem } from '../invocation-log/unusable-result.ts';
import { withoutEffect } from '../invocation/without-effect.ts';
import { hintOf } from '../replies/hint-of.ts';
import { type PlacedError, placedError, syntaxError } from '../replies/placed-error.ts';
import type { Compiler } from '../scheduling/compiler.ts';
import type { CodeRun, RunEnd } from '../scheduling/tenant.ts';
import type { WorkerPool } from '../scheduling/worker-pool.ts';
import { KeyCounts } from '../values/key-counts.ts';
import type { Outcome } from '../worker-protocol/outcome.ts';
import { problemOf } from './compile.ts';

export interface TryContext {
  readonly compiler: Compiler;
  readonly pool: WorkerPool;
  readonly published: Pick<PublishedRecords, 'tenantById'>;
  readonly trials: TrialCounts;
  readonly limits: { readonly codeLength: number; readonly argumentBytes: number };
}

/** Trials of one tenant at once: enough for a few people, and no load for its proxies and reactors. */
const maxTrialsOfTenant = 5;

/** The trials of each tenant that are under way. */
export class TrialCounts {
  readonly #counts = new KeyCounts();

  /** Counts one until the result is disposed. @throws AppError `rate_limited` */
  enter(tenantId: string): Disposable {
    const entered = this.#counts.enter(tenantId, maxTrialsOfTenant);
    if (entered !== undefined) return entered;
    throw new AppError(
      'rate_limited',
      `At most ${maxTrialsOfTenant} trials of code may run at once. Wait for one.`,
    );
  }
}

/**
 * Runs code that is not stored, once, in the sandbox and with the limits of production
 * (contract/dry-runs.md#trying-code). What it returns and logs goes to the caller only. @throws AppError
 */
export async function tryCode(
  context: TryContext,
  request: TryRequest,
  call: UnaryContext,
): Promise<TryResponse> {
  refuseInvalid(context.limits, request);
  using _counted = context.trials.enter(request.tenantId);
  const { tenantId, code } = request;
  const problem = problemOf(await context.compiler.compile(tenantId, code, call.deadline));
  if (problem !== undefined) return answer({ outcome: 'syntax_error', error: syntaxError(problem, code) });
  const reached = new Set<string>();
  let end: RunEnd | undefined;
  const run: CodeRun = {
    ...(await runOf(context, request, (place) => reached.add(place))),
    correlationId: call.correlationId,
    lifetime: lifetimeOf(call),
    isMeasured: true,
    onEnd: (ended) => {
      end = ended;
    },
  };
  const outcome = await context.pool.run(run);
  return answer({ ...describeOutcome(outcome, run, sideOf(request)), end, reached });
}

async function runOf(
  { published, limits }: TryContext,
  request: TryRequest,
  note: (place: string) => void,
): Promise<Omit<CodeRun, 'correlationId' | 'lifetime'>> {
  const { tenantId, code, network, applicationId, trial } = request;
  const hasBt = applicationId !== '';
  const run = {
    tenantId,
    code,
    // Code that has had a network may hold what it got there.
    codeVersion: `try:${network ? `network:${applicationId}` : 'alone'}:${hash('sha256', code)}`,
    argument: argumentOf(request, limits),
  };
  if (!network) return { ...run, ...withoutEffect(hasBt, note) };
  const delegation = { owner: { $case: 'trial', value: trial }, version: 0, applicationId } as const;
  const reach = await codeReachOf(published, tenantId, undefined);
  return { ...run, reach, onEgress: ({ place }) => note(place), ...(hasBt ? { delegation } : {}) };
}

/** @throws AppError `too_large` */
function argumentOf(
  { args, configuration, applicationId, side }: TryRequest,
  { argumentBytes }: TryContext['limits'],
): Buffer {
  // As production does: reactors get null, and transforms no member.
  const bt = applicationId === '' && side === TransformSide.TRANSFORM_SIDE_UNSPECIFIED ? ',"bt":null' : '';
  const argument = Buffer.from(
    `{"args":${args.toString()},"configuration":${configuration.toString()}${bt}}`,
  );
  if (argument.length <= argumentBytes) return argument;
  throw new AppError('too_large', `The argument of code may have at most ${argumentBytes} bytes of JSON.`);
}

function sideOf({ side }: TryRequest): 'request' | 'response' | undefined {
  if (side === TransformSide.TRANSFORM_SIDE_REQUEST) return 'request';
  return side === TransformSide.TRANSFORM_SIDE_RESPONSE ? 'response' : undefined;
}

interface DescribedRun {
  readonly outcome: string;
  readonly error?: PlacedError;
  /** JSON text. */
  readonly result?: string;
  readonly end?: RunEnd | undefined;
  readonly reached?: ReadonlySet<string>;
}

function describeOutcome(
  outcome: Outcome,
  run: CodeRun,
  side: 'request' | 'response' | undefined,
): DescribedRun {
  if (outcome.kind !== 'returned') {
    return { outcome: outcome.kind, error: placedError(outcome, run.code, hintOf(outcome, run)) };
  }
  const result = outcome.result.toString();
  const isUndefined = result === '';
  const problem =
    isUndefined || isJson(result)
      ? resultProblem({ id: '', ...(side === undefined ? {} : { side }) }, outcome.result)
      : 'The result of the code is not valid JSON.';
  if (problem === undefined) return { outcome: 'returned', ...(isUndefined ? {} : { result }) };
  const shown = isUndefined || !isJson(result) ? {} : { result };
  return { outcome: 'unusable_result', error: { message: problem }, ...shown };
}

/** Code may replace the JSON of its isolate. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function answer({ outcome, error, result, end, reached = new Set() }: DescribedRun): TryResponse {
  const json = JSON.stringify({
    outcome,
    error,
    log: end?.log === undefined ? [] : parseLog(end.log),
    duration_ms: Math.round((end?.seconds ?? 0) * 1000),
    memory_bytes: end === undefined || end.heldKb === 0 ? null : end.heldKb * 1024,
    tried_to_reach: [...reached],
  });
  // As the code wrote it: numbers keep their digits.
  const whole = result === undefined ? json : `${json.slice(0, -1)},"result":${result}}`;
  return { json: Buffer.from(whole) };
}

function lifetimeOf({ deadline, signal }: UnaryContext): CodeRun['lifetime'] {
  return {
    deadline,
    signal,
    get cancelled() {
      return signal.aborted;
    },
  };
}

function refuseInvalid({ codeLength }: TryContext['limits'], { tenantId, code }: TryRequest): void {
  const problems: Record<string, string[]> = {};
  if (tenantId === '') problems['tenant_id'] = ['is required'];
  if (code === '') problems['code'] = ['is required'];
  if (code.length > codeLength) problems['code'] = [`must be at most ${codeLength} characters long`];
  if (Object.keys(problems).length > 0) throw validationError(problems satisfies FieldProblems);
}
