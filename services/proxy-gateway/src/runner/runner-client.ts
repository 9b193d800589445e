import type { CallStreamClient } from '@glovebox/platform/calls/client';
import { AppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { clientAddress } from '@glovebox/platform/http/client-address';
import { unselectedPath } from '@glovebox/platform/http/warnings';
import { isSampled, traceparentOf } from '@glovebox/platform/telemetry/tracing';
import type {
  DryRunReactor,
  DryRunTransform,
  ExchangeRequest,
  ExchangeResponse,
  GetReactorResult,
  ListInvocations,
  ReactAsync,
  ReactorAnswered,
  RunFunction,
  RunNote,
  RunReactor,
  RunTransform,
  RunnerCall,
  RunnerReply,
  ShadowTransform,
} from '@glovebox/protos/runner/v1/runner';

import { type Exchange, type OutlineNotes, clientGoneSignal } from '../http/exchange.ts';
import { thrownProblem, thrownResponse } from './read-thrown.ts';

export type RunnerStream = CallStreamClient<RunnerCall, RunnerReply, ExchangeRequest, ExchangeResponse>;

type Outcome = NonNullable<RunnerReply['outcome']>;
type OutcomeOf<Case extends Outcome['$case']> = Extract<Outcome, { $case: Case }>['value'];

const ofProxies: ReadonlySet<string> = new Set([
  'runTransform',
  'runFunction',
  'dryRunTransform',
  'shadowTransform',
]);

/** The runner's operations, each a call on one of its streams. */
export class RunnerClient {
  readonly #stream: RunnerStream;
  readonly #timeoutMs: number;

  constructor(stream: RunnerStream, timeoutMs: number) {
    this.#stream = stream;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * JSON text of what the transform returned; empty for undefined.
   * @throws AppError, and ThrownResponse for what the code threw to answer by itself.
   */
  async transform(exchange: Exchange, value: RunTransform): Promise<string> {
    const { result } = await this.#call(exchange, { $case: 'runTransform', value }, 'returned');
    return result.toString();
  }

  /** JSON text of what a function of ours returned, run among the tenant's. @throws AppError */
  async run(exchange: Exchange, value: RunFunction): Promise<string> {
    const { result } = await this.#call(exchange, { $case: 'runFunction', value }, 'returned');
    return result.toString();
  }

  /**
   * A Reactor Response (contract/reactors.md#result); undefined when the body names an address to which
   * that is going to be sent.
   * @throws AppError, and ThrownResponse for what the code threw to answer by itself.
   */
  async react(exchange: Exchange, value: RunReactor): Promise<ReactorAnswered | undefined> {
    const reply = await this.#call(exchange, { $case: 'runReactor', value }, 'answered', 'accepted');
    exchange.warnings.add(reply.unselectedPaths.map(unselectedPath));
    return 'json' in reply ? reply : undefined;
  }

  /** A UUID by which the result can be asked for. @throws AppError */
  async reactAsync(exchange: Exchange, value: ReactAsync): Promise<string> {
    const reply = await this.#call(exchange, { $case: 'reactAsync', value }, 'accepted');
    exchange.warnings.add(reply.unselectedPaths.map(unselectedPath));
    return reply.requestId;
  }

  /**
   * What `react` would have given.
   * @throws what `react` would have thrown; AppError `not_found` while there is no result.
   */
  reactorResult(exchange: Exchange, value: GetReactorResult): Promise<ReactorAnswered> {
    return this.#call(exchange, { $case: 'getReactorResult', value }, 'answered');
  }

  /** JSON text `{step, ending}` of a transform that ran without any effect. @throws AppError */
  dryTransform(exchange: Exchange, value: DryRunTransform): Promise<Buffer> {
    return this.#dryRun(exchange, { $case: 'dryRunTransform', value });
  }

  /** JSON text of how a transform has ended that ran without any effect, on values. @throws AppError */
  shadowTransform(exchange: Exchange, value: ShadowTransform): Promise<Buffer> {
    return this.#dryRun(exchange, { $case: 'shadowTransform', value });
  }

  /** JSON text of the answer to a dry run. @throws AppError */
  dryReact(exchange: Exchange, value: DryRunReactor): Promise<Buffer> {
    return this.#dryRun(exchange, { $case: 'dryRunReactor', value });
  }

  /** JSON text of an array. @throws AppError */
  async listInvocations(exchange: Exchange, value: ListInvocations): Promise<Buffer> {
    return (await this.#call(exchange, { $case: 'listInvocations', value }, 'listed')).json;
  }

  /** @throws AppError `unavailable` when a call would have to wait for the runner */
  requireConnection(): void {
    if (this.#stream.connected) return;
    throw new AppError('unavailable', 'The service that runs code is not available.');
  }

  /** A runner of an earlier version does not know the operation, and does nothing. */
  async #dryRun(exchange: Exchange, operation: NonNullable<RunnerCall['operation']>): Promise<Buffer> {
    try {
      return (await this.#call(exchange, operation, 'dryRan')).json;
    } catch (error) {
      if (!(error instanceof AppError) || !/^The call names no operation\b/.test(error.message)) throw error;
      throw new AppError('unavailable', 'A runner of an earlier version runs no code without effect.', {
        cause: error,
      });
    }
  }

  async #call<Case extends Outcome['$case']>(
    { trace, correlationId, request, response, stages, outlineNotes, bounds, trustedHops }: Exchange,
    operation: NonNullable<RunnerCall['operation']>,
    ...expected: readonly Case[]
  ): Promise<OutcomeOf<Case>> {
    const traceparent = isSampled(trace) ? (traceparentOf(trace) ?? '') : '';
    const options = { deadline: Date.now() + this.#timeoutMs, signal: clientGoneSignal(response) };
    const call = {
      traceparent,
      correlationId,
      clientAddress: clientAddress(request, trustedHops),
      operation,
    };
    stages.enter(ofProxies.has(operation.$case) ? 'transform' : 'reactor');
    const { outcome, note } = await this.#stream
      .call(call, options)
      .catch(rethrow)
      .finally(() => stages.enter('own'));
    if (note !== undefined) noteRun(outlineNotes, note);
    if (expected.some((one) => one === outcome?.$case)) return outcome?.value as OutcomeOf<Case>;
    switch (outcome?.$case) {
      case 'refused':
        throw thrownProblem(outcome.value);
      case 'responded':
        throw thrownResponse(outcome.value, bounds.headerBytes);
      case 'error':
        return rethrow(fromWireError(outcome.value));
      default:
        throw new AppError('internal', 'The request could not be completed.', {
          cause: new Error(`the runner’s reply is not ${expected.join(' or ')}`),
        });
    }
  }
}

function noteRun(notes: OutlineNotes, { logged, line, column }: RunNote): void {
  notes.logged ||= logged;
  notes.line = line;
  notes.column = column;
}

/** Code that runs for too long is an error of its own: this is a runner that did not get to it. */
function rethrow(error: unknown): never {
  if (error instanceof AppError && error.code === 'deadline_exceeded') {
    throw new AppError('unavailable', 'The code could not be run in time.', { cause: error });
  }
  throw error;
}
