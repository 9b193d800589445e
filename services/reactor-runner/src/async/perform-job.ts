import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { type AppError, type ErrorCode, toAppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import { RunnerReply } from '@glovebox/protos/runner/v1/runner';

import { declareParameters } from '../invocation/declared-parameters.ts';
import { fitArguments } from '../invocation/fit-arguments.ts';
import type { Invoker } from '../invocation/invoker.ts';
import type { ReactContext } from '../invocation/react-context.ts';
import { perform } from '../invocation/react.ts';
import { delegationOf, resolveReactor } from '../invocation/resolve-reactor.ts';
import { type Ending, endingOf, failureOf } from '../requests/ending.ts';
import { interrupted, runtimeError } from '../requests/interrupted.ts';
import type { JobSealing } from '../requests/request-sealing.ts';
import type { RequestPlace, Requests } from '../requests/requests.ts';
import type { Caller } from '../worker-process/worker-process.ts';
import { type TellContext, tellBeginning, tellEnding } from './emit-events.ts';
import { type JobArguments, readArguments } from './job-arguments.ts';
import type { JobData } from './job.ts';
import { stillAuthorized } from './still-authorized.ts';

export interface PerformContext extends ReactContext, Pick<TellContext, 'deliveries'> {
  readonly requests: Requests;
  readonly jobSealing: JobSealing;
  readonly onStep: OnStep;
  /** Milliseconds since its acceptance, when an invocation's code is about to begin. */
  readonly onWaited: (ms: number) => void;
}

/** The points between which a process may die; a test stops it at each of them. */
export type Step = 'taken' | 'begun' | 'ran' | 'settled';
export type OnStep = (step: Step, requestId: string) => void | Promise<void>;

export interface Attempt {
  readonly requestId: string;
  readonly data: JobData;
  readonly isFirst: boolean;
  /** Nobody tries again after this one. */
  readonly isLast: boolean;
  /** How many processes have died with it before. */
  readonly deaths: number;
  readonly caller: Caller;
  readonly trace: Context | undefined;
}

export type Fate = 'answered' | 'refused' | 'responded' | 'error' | 'interrupted' | 'gone';

/** The code did not begin, for a reason that may pass. Its message is for Redis and logs: it holds a code alone. */
export class NotBegun extends Error {
  constructor(code: ErrorCode) {
    super(`not begun: ${code}`);
  }
}

type Outcome = NonNullable<RunnerReply['outcome']>;

/**
 * The second half of an invocation, and what keeps its code from being run twice: whoever is about to run it says so
 * in Redis first, and takes that back only when it certainly did not.
 *
 * @returns how it ended
 * @throws NotBegun when another attempt is worthwhile; any other Error, e.g. while Redis is away, says nothing about
 * the invocation
 */
export async function performJob(context: PerformContext, attempt: Attempt): Promise<Fate> {
  const { requests, onStep } = context;
  const { requestId, data } = attempt;
  const place = { tenantId: data.tenantId, reactorId: data.reactorId, requestId };
  await onStep('taken', requestId);
  const request = await requests.read(requestId);
  if (request === undefined) return 'gone';
  if (request.state !== 'open') {
    // Whoever settled it may have died before it told.
    if (request.ending !== undefined) await tellEnding(context, place, data, request.ending);
    return 'gone';
  }
  if (request.begun) return interrupt(context, place, data);
  if (attempt.isFirst || attempt.deaths > 0) await tellBeginning(context, place, data);
  const name = randomUUID();
  const startedAt = performance.now();
  const outcome = await outcomeOf(context, attempt, place, name, request.args);
  if (outcome === undefined) return 'gone';
  await onStep('ran', requestId);
  if (outcome.$case === 'error' && outcome.value.code === 'cancelled') return interrupt(context, place, data);
  const ending = endingOf(outcome, Math.round(performance.now() - startedAt));
  const fate = await keep(context, { place, data, name, outcome, ending }, attempt.caller);
  await onStep('settled', requestId);
  if (fate === outcome.$case) await tellEnding(context, place, data, ending);
  return fate;
}

async function interrupt(context: PerformContext, place: RequestPlace, data: JobData): Promise<Fate> {
  const ending = failureOf(interrupted(), Date.now() - data.acceptedAt);
  if (!(await context.requests.interrupt(place, ending))) {
    throw new Error('whether its code has begun has changed meanwhile');
  }
  await tellEnding(context, place, data, ending);
  return 'interrupted';
}

/** Undefined when another attempt has begun meanwhile. */
async function outcomeOf(
  context: PerformContext,
  attempt: Attempt,
  place: RequestPlace,
  name: string,
  sealed: Buffer,
): Promise<Outcome | undefined> {
  const { requests } = context;
  let began = false;
  let isOurs = false;
  try {
    if (attempt.deaths > maxDeaths) throw runtimeError('The code could not be run, repeatedly.');
    const { reactor, credential, ...kept } = await prepareAgain(context, attempt, place, sealed);
    isOurs = await requests.begin(place, name);
    if (!isOurs) return undefined;
    await context.onStep('begun', place.requestId);
    const invoker = invokerOf(attempt, credential, () => {
      began = true;
      context.onWaited(Date.now() - attempt.data.acceptedAt);
    });
    return await perform(context, kept, invoker, reactor);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.cause !== undefined) logFailure(context, attempt, error);
    if (!began && passing.has(error.code) && !attempt.isLast) {
      if (isOurs) await requests.takeBack(place, name);
      throw new NotBegun(error.code);
    }
    return { $case: 'error', value: toWireError(told(error, began)) };
  }
}

function logFailure({ logger }: PerformContext, { requestId, data }: Attempt, err: AppError): void {
  logger.error({ err, requestId, correlationId: data.correlationId }, 'asynchronous invocation failed');
}

/** Whatever it is, it would take one runner with it after the other. */
const maxDeaths = 10;
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unavailable',
  'rate_limited',
  'deadline_exceeded',
  'cancelled',
]);

function told(error: AppError, began: boolean): AppError {
  if (!passing.has(error.code) || (began && error.code === 'cancelled')) return error;
  return runtimeError(
    began
      ? `The code ran, but its tokens could not be made: ${error.message}`
      : `The code could not be run: ${error.message}`,
  );
}

/** As things are now: the reactor may have another code, configuration or declaration since, or be gone. */
async function prepareAgain(
  { registry, jobSealing }: PerformContext,
  { data }: Attempt,
  place: RequestPlace,
  sealed: Buffer,
) {
  const reactor = await resolveReactor(registry, data.reactorId);
  await stillAuthorized(registry, data);
  const kept: JobArguments = readArguments(await jobSealing.open(place, 'arguments', sealed));
  const declared = declareParameters(reactor.requestParameters);
  const args = reactor.version === data.version ? kept.args : fitArguments(declared, kept.args);
  // Without a key, and without the application that there was: the vault refuses to act as it.
  const credential = kept.apiKey ?? delegationOf(reactor);
  return { reactor, args, values: kept.values, credential };
}

function invokerOf(
  { data, caller, trace }: Attempt,
  credential: Invoker['credential'],
  onBegin: () => void,
): Invoker {
  return { credential, correlationId: data.correlationId, trace, caller, depth: 0, onBegin };
}

const firstPauseMs = 200;
const longestPauseMs = 5000;
/** The outcome stands in memory alone: it is worth to wait for the vault and for Redis, but not for ever. */
const patienceMs = 10 * 60_000;

interface Settling {
  readonly place: RequestPlace;
  readonly data: JobData;
  /** Of the attempt. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly ending: Ending;
}

/** Seals and keeps an outcome, as soon as that is possible. */
async function keep(
  context: PerformContext,
  { place, data, name, outcome, ending }: Settling,
  { signal }: Caller,
): Promise<Fate> {
  const { requests, jobSealing, logger } = context;
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      const plain = RunnerReply.encode({ id: 0, outcome }).finish();
      const sealed = await jobSealing.seal(place, 'result', plain);
      const counts = await requests.settle(place, name, sealed, ending);
      return counts ? (outcome.$case as Fate) : 'gone';
    } catch (err) {
      logger.warn({ err, requestId: place.requestId }, 'a result could not be kept yet');
      if (Date.now() > deadline || signal.aborted) return interrupt(context, place, data);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
