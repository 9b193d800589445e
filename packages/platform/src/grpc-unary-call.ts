import { setTimeout as sleep } from 'node:timers/promises';

import type { Client, Metadata, MethodDefinition } from '@grpc/grpc-js';

import { fromGrpcError } from './errors-grpc.ts';
import { AppError } from './errors.ts';
import { correlationKey, traceparentKey } from './grpc-conventions.ts';

export interface UnaryCallOptions {
  /** The caller's own deadline, milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
  /** True when doing it twice is as good as once: then `unavailable` is tried again, up to three times in all. */
  readonly safe?: boolean;
  readonly correlationId?: string;
  /** W3C traceparent of the calling span. */
  readonly traceparent?: string;
}

export type UnaryMethod<Request, Response> = MethodDefinition<Request, Response> & {
  readonly requestStream: false;
  readonly responseStream: false;
};

/** Kept back from the caller's deadline, so that the inner service reports that time ran out, not the outer. */
const deadlineMarginMs = 20;
/**
 * With less than this left after the margin nothing is sent. Calls here take about a millisecond; a larger
 * reserve would refuse work that still had time to succeed.
 */
const leastTimeMs = 10;
const attempts = 3;
const firstPauseMs = 25;

/**
 * Calls a method with what is left of the caller's deadline less a margin.
 *
 * @throws AppError what the handler threw (errors-grpc.ts); `deadline_exceeded`, without a call being made when
 * less than 30 ms are left; `cancelled`, when `signal` aborts; `unavailable`.
 */
export async function callUnary<Request, Response>(
  client: Client,
  metadata: Metadata,
  method: UnaryMethod<Request, Response>,
  request: Request,
  options: UnaryCallOptions,
): Promise<Response> {
  if (options.correlationId) metadata.set(correlationKey, options.correlationId);
  if (options.traceparent) metadata.set(traceparentKey, options.traceparent);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(client, metadata, method, request, options);
    } catch (failure) {
      const error = fromGrpcError(failure);
      const pauseMs = Math.random() * firstPauseMs * 2 ** attempt;
      const again = options.safe === true && error.code === 'unavailable' && attempt < attempts;
      if (!again || timeLeft(options.deadline) - pauseMs < leastTimeMs) throw error;
      // An abort during the pause is reported by the next attempt.
      await sleep(pauseMs, undefined, options).catch(() => undefined);
    }
  }
}

function callOnce<Request, Response>(
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
