import { randomUUID } from 'node:crypto';

import { mayInvoke } from '@glovebox/access/rules';
import { AppError, type ErrorCode, toAppError } from '@glovebox/platform/errors/app-error';
import { toWireError } from '@glovebox/platform/errors/grpc';
import { addFilled, valuesToGuard } from '@glovebox/platform/redaction/filled-values';
import type { Context } from '@glovebox/platform/telemetry/tracing';

import { countVersion } from '../invocation/count-version.ts';
import { fitArguments } from '../invocation/fit-arguments.ts';
import type { Invoker, ReactContext } from '../invocation/invoker.ts';
import { perform } from '../invocation/react.ts';
import { delegationOf, resolveAccepted } from '../invocation/resolve-reactor.ts';
import type { Reply } from '../replies/reply.ts';
import { invocationEndOf, runtimeError } from '../requests/invocation-end.ts';
import type { RequestPlace } from '../requests/request-store.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';
import { readArguments } from './job-arguments.ts';
import type { JobData } from './job-queue.ts';
import {
  type AttemptResult,
  type SettleContext,
  emitEnded,
  emitInvoked,
  interrupt,
  settle,
} from './settle-request.ts';

export interface PerformContext extends ReactContext, SettleContext {
  readonly published: ReactContext['published'];
  readonly events: ReactContext['events'];
  readonly onStep: OnAttemptStep;
  /** Receives the milliseconds from acceptance until the code can begin. */
  readonly onWaited: (ms: number) => void;
}

/** The points between which a process may die; tests stop it at each of them. */
export type AttemptStep = 'taken' | 'begun' | 'ran' | 'settled';
export type OnAttemptStep = (step: AttemptStep, requestId: string) => void | Promise<void>;

export interface Attempt {
  readonly requestId: string;
  readonly data: JobData;
  readonly isFirst: boolean;
  /** The queue does not retry after this attempt. */
  readonly isLast: boolean;
  /** How many processes have died during earlier attempts. */
  readonly deaths: number;
  readonly lifetime: CallLifetime;
  readonly trace: Context | undefined;
}

/** The code did not start, for a temporary reason. The message reaches Redis and logs, so it holds only a code. */
export class NotStarted extends Error {
  constructor(code: ErrorCode) {
    super(`not begun: ${code}`);
  }
}

/**
 * Performs an accepted invocation. Its code runs at most once: an attempt first claims the request in Redis, and
 * releases it only when the code certainly did not start.
 *
 * @throws NotStarted when another attempt is worthwhile; any other Error, e.g. while Redis is away, says nothing about
 * the invocation
 */
export async function performJob(context: PerformContext, attempt: Attempt): Promise<AttemptResult> {
  const { requests, onStep } = context;
  const { requestId, data } = attempt;
  const place = { tenantId: data.tenantId, reactorId: data.reactorId, requestId };
  await onStep('taken', requestId);
  const request = await requests.read(place);
  if (request === undefined) return 'gone';
  if (request.state !== 'open') {
    // The process that settled it may have died before it emitted the event.
    if (request.end !== undefined) await emitEnded(context, place, data, request.end);
    return 'gone';
  }
  if (request.begun) return interrupt(context, place, data);
  if (attempt.isFirst || attempt.deaths > 0) await emitInvoked(context, place, data);
  const attemptId = randomUUID();
  const startedAt = performance.now();
  const reply = await replyOf(context, attempt, place, attemptId, request.args);
  if (reply === undefined) return 'gone';
  await onStep('ran', requestId);
  if (reply.$case === 'error' && reply.value.code === 'cancelled') return interrupt(context, place, data);
  const end = invocationEndOf(reply, Math.round(performance.now() - startedAt));
  const result = await settle(context, { place, data, attemptId, reply, end }, attempt.lifetime);
  await onStep('settled', requestId);
  if (result === reply.$case) await emitEnded(context, place, data, end);
  return result;
}

/** Undefined when another attempt has claimed the request meanwhile. */
async function replyOf(
  context: PerformContext,
  attempt: Attempt,
  place: RequestPlace,
  attemptId: string,
  sealed: Buffer,
): Promise<Reply | undefined> {
  const { requests } = context;
  const { data, lifetime, trace } = attempt;
  let codeStarted = false;
  let isClaimed = false;
  try {
    if (attempt.deaths > maxDeaths) throw runtimeError('The code could not be run, repeatedly.');
    const { reactor, credential, ...args } = await prepareStored(context, data, place, sealed);
    isClaimed = await requests.begin(place, attemptId);
    if (!isClaimed) return undefined;
    await context.onStep('begun', place.requestId);
    const onBegin = () => {
      codeStarted = true;
      context.onWaited(Date.now() - data.acceptedAt);
    };
    const { correlationId, clientAddress } = data;
    const invoker: Invoker = { credential, correlationId, clientAddress, trace, lifetime, depth: 0, onBegin };
    const { tenantId, applicationId } = data;
    const invocation = {
      tenantId,
      reactorId: reactor.id,
      reactorName: reactor.name,
      applicationId,
      correlationId,
    };
    return await countVersion(context.rollouts, data.rollout, () =>
      perform(context, args, invoker, reactor, invocation),
    );
  } catch (thrown) {
    const err = toAppError(thrown);
    const { requestId } = attempt;
    if (err.cause !== undefined) {
      const { correlationId } = data;
      context.logger.error({ err, requestId, correlationId }, 'asynchronous invocation failed');
    }
    if (!codeStarted && temporary.has(err.code) && !attempt.isLast) {
      if (isClaimed) await requests.release(place, attemptId);
      throw new NotStarted(err.code);
    }
    return { $case: 'error', value: toWireError(asResult(err, codeStarted)) };
  }
}

/** After so many deaths the invocation is the likely cause, and would kill one runner after the other. */
const maxDeaths = 10;
const temporary: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unavailable',
  'vault_sealed',
  'rate_limited',
  'deadline_exceeded',
  'cancelled',
]);

/** A stored result does not say that a failure is temporary. */
function asResult(error: AppError, codeStarted: boolean): AppError {
  if (!temporary.has(error.code) || (codeStarted && error.code === 'cancelled')) return error;
  return runtimeError(
    codeStarted
      ? `The code ran, but its tokens could not be made: ${error.message}`
      : `The code could not be run: ${error.message}`,
  );
}

/** Reads the reactor as it is now, or the version of its rollout: its code, configuration and declaration may have changed, or it may be gone. */
async function prepareStored(
  { published, requestSealing }: PerformContext,
  data: JobData,
  place: RequestPlace,
  sealed: Buffer,
) {
  const reactor = await resolveAccepted(published, data.reactorId, data);
  await requireInvoker(published, data);
  const stored = readArguments(await requestSealing.open(place, 'arguments', sealed));
  const { values } = stored;
  const guarded = stored.guarded ?? valuesToGuard(addFilled(undefined, values, []));
  const args =
    reactor.version === data.version ? stored.args : fitArguments(reactor.requestParameters, stored.args);
  // If the application was deleted and no key was stored, the vault refuses this delegation.
  const credential = stored.apiKey ?? delegationOf(reactor);
  return { reactor, args, values, guarded, credential };
}

/** Checks that the application that invoked the reactor still exists and may use tokens. @throws AppError */
async function requireInvoker(
  published: PerformContext['published'],
  { applicationId, tenantId }: JobData,
): Promise<void> {
  const principal = (await published.applicationById(applicationId))?.principal;
  if (principal?.tenantId !== tenantId) {
    throw new AppError(
      'unauthenticated',
      'The application that invoked the reactor does not exist any more.',
    );
  }
  if (!mayInvoke(principal.grants)) {
    throw new AppError('permission_denied', 'The permission token:use is required.');
  }
}
