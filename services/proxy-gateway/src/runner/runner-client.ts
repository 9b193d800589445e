import type { CallStreamClient } from '@glovebox/platform/call-stream-client';
import { AppError } from '@glovebox/platform/errors';
import { fromWireError } from '@glovebox/platform/errors-grpc';
import { isSampled, traceparentOf } from '@glovebox/platform/tracing';
import type {
  ExchangeRequest,
  ExchangeResponse,
  RunTransform,
  RunnerCall,
  RunnerReply,
} from '@glovebox/protos/runner/v1/runner';

import { clientGoneSignal } from '../http/client-gone.ts';
import type { Exchange } from '../http/exchange.ts';
import { thrownProblem, thrownResponse } from './thrown-answer.ts';

export type RunnerStream = CallStreamClient<RunnerCall, RunnerReply, ExchangeRequest, ExchangeResponse>;

/** Tenants' code, run by the runner; each run a call on the one stream. */
export class RunnerClient {
  readonly #stream: RunnerStream;
  readonly #timeoutMs: number;

  constructor(stream: RunnerStream, timeoutMs: number) {
    this.#stream = stream;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * JSON text of what the transform returned; empty for undefined.
   * @throws AppError, and OwnAnswer for what the code threw to answer by itself.
   */
  async transform(exchange: Exchange, value: RunTransform): Promise<string> {
    const traceparent = isSampled(exchange.trace) ? (traceparentOf(exchange.trace) ?? '') : '';
    const { correlationId, response } = exchange;
    const call = { traceparent, correlationId, operation: { $case: 'runTransform' as const, value } };
    const options = { deadline: Date.now() + this.#timeoutMs, signal: clientGoneSignal(response) };
    const { outcome } = await this.#stream.call(call, options).catch(rethrow);
    switch (outcome?.$case) {
      case 'returned':
        return outcome.value.result.toString();
      case 'refused':
        throw thrownProblem(outcome.value);
      case 'responded':
        throw thrownResponse(outcome.value);
      case 'error':
        return rethrow(fromWireError(outcome.value));
      default:
        throw new AppError('internal', 'The request could not be completed.', {
          cause: new Error('the runner’s reply holds no outcome'),
        });
    }
  }
}

/** Code that runs for too long is an error of its own: this is a runner that did not get to it. */
function rethrow(error: unknown): never {
  if (error instanceof AppError && error.code === 'deadline_exceeded') {
    throw new AppError('unavailable', 'The proxy’s code could not be run in time.', { cause: error });
  }
  throw error;
}
