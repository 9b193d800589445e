import { setTimeout as sleep } from 'node:timers/promises';

import type { Client, Metadata, MethodDefinition } from '@grpc/grpc-js';

import { AppError } from '../errors/app-error.ts';
import { fromGrpcError } from '../errors/grpc.ts';

export interface UnaryCallOptions {
  /** The caller's own deadline, milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
  /** True when the call is idempotent: then `unavailable` is retried for a second or two. */
  readonly safe?: boolean;
  readonly correlationId?: string;
  /** W3C traceparent of the calling span. */
  readonly traceparent?: string;
}

export type UnaryMethod<Request, Response> = MethodDefinition<Request, Response> & {
  readonly requestStream: false;
  readonly responseStream: false;
};

/** Kept back from the caller's deadline, so that the inner service reports the timeout, not the outer one. */
const deadlineMarginMs = 20;
/**
 * With less than this left after the margin nothing is sent. Calls take about a millisecond; a larger reserve would
 * refuse calls that still had time.
 */
const leastTimeMs = 10;
// A restarted server is connected within a second (connection.ts), while the other one may end.
const attempts = 7;
const firstPauseMs = 25;
const longestPauseMs = 800;

/**
 * Makes a call, and retries a safe one that was `unavailable`.
 * @param attempt makes it once
 * @throws AppError the handler's (errors/grpc.ts); `deadline_exceeded`, without a call when less than 30 ms are left;
 * `cancelled` when `signal` aborts; `unavailable`
 */
export async function callUnary<Response>(
  options: UnaryCallOptions,
  attempt: () => Promise<Response>,
): Promise<Response> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (failure) {
      const error = fromGrpcError(failure);
      const pauseMs = Math.random() * Math.min(firstPauseMs * 2 ** made, longestPauseMs);
      const again = options.safe === true && error.code === 'unavailable' && made < attempts;
      if (!again || timeLeft(options.deadline) - pauseMs < leastTimeMs) throw error;
      // The next attempt reports an abort during the pause.
      await sleep(pauseMs, undefined, options).catch(() => undefined);
    }
  }
}

/** Calls a method with the time left until the caller's deadline, less a margin. Rejects with whatever ends it. */
export function callOnce<Request, Response>(
  client: Client,
  metadata: Metadata,
  method: UnaryMethod<Request, Response>,
  request: Request,
  { deadline, signal }: UnaryCallOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    if (timeLeft(deadline) < leastTimeMs)
      return reject(new AppError('deadline_exceeded', 'The request took too long.'));
    const call = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: deadline - deadlineMarginMs },
      (error, response) => {
        signal?.removeEventListener('abort', cancel);
        if (error) reject(error);
        else resolve(response as Response);
      },
    );
    const cancel = () => {
      reject(cancelled());
      call.cancel();
    };
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

function cancelled(): AppError {
  return new AppError('cancelled', 'The request was cancelled.');
}

function timeLeft(deadline: number): number {
  return deadline - deadlineMarginMs - Date.now();
}
