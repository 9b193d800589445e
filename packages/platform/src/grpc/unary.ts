import type { Metadata, ServerUnaryCall, handleUnaryCall } from '@grpc/grpc-js';

import { AppError, type ErrorCode, toAppError } from '../errors/app-error.ts';
import { toGrpcStatus } from '../errors/grpc.ts';
import { scopeOf } from '../telemetry/call-scope.ts';
import type { Logger } from '../telemetry/logger.ts';
import { correlationKey, traceparentKey } from './conventions.ts';

/** For calls without a deadline, e.g. from a person's tool, in milliseconds. */
const defaultTimeoutMs = 30_000;

export interface UnaryContext {
  /** Aborts when the peer cancels, goes away, or its deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, always finite. */
  readonly deadline: number;
  /** Name of the calling service. */
  readonly peer: string;
  /** Correlation id of the request at the edge; empty when there is none. */
  readonly correlationId: string;
  /** W3C traceparent of the calling span; empty when there is none. */
  readonly traceparent: string;
}

/**
 * Makes a method of a service from a function. Its exceptions become statuses (errors/grpc.ts), and each call writes
 * one log line without anything of request or response.
 */
export function unary<Request, Response>(
  handler: (request: Request, context: UnaryContext) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    const startedAt = performance.now();
    const answer = async (): Promise<Response> => {
      const { logger, peer } = scopeOf(call.metadata);
      const { context, release } = openContext(call, peer);
      try {
        const response = await handler(call.request, context);
        logCall(logger, call, context, startedAt);
        return response;
      } catch (error) {
        logCall(logger, call, context, startedAt, toAppError(error));
        throw error;
      } finally {
        release();
      }
    };
    answer().then(
      (response) => callback(null, response),
      (error: unknown) => callback(toGrpcStatus(error)),
    );
  };
}

function openContext(call: ServerUnaryCall<unknown, unknown>, peer: string) {
  const controller = new AbortController();
  const given = Number(call.getDeadline());
  const onCancelled = () => {
    controller.abort(
      Date.now() >= given
        ? new AppError('deadline_exceeded', 'The request took too long.')
        : new AppError('cancelled', 'The request was cancelled.'),
    );
  };
  call.once('cancelled', onCancelled);
  const context: UnaryContext = {
    signal: controller.signal,
    deadline: Number.isFinite(given) ? given : Date.now() + defaultTimeoutMs,
    peer,
    correlationId: textOf(call.metadata, correlationKey),
    traceparent: textOf(call.metadata, traceparentKey),
  };
  // grpc-js reports every call as cancelled once it has ended.
  return { context, release: () => call.off('cancelled', onCancelled) };
}

function textOf(metadata: Metadata, key: string): string {
  const value = metadata.get(key)[0];
  return typeof value === 'string' ? value : '';
}

function logCall(
  logger: Logger,
  call: ServerUnaryCall<unknown, unknown>,
  context: UnaryContext,
  startedAt: number,
  error?: AppError,
): void {
  const line = {
    method: call.getPath(),
    peer: context.peer,
    correlationId: context.correlationId,
    code: error?.code ?? 'ok',
    ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
  };
  if (error === undefined) logger.info(line, 'call');
  else logger[levels[error.code] ?? 'info']({ ...line, err: error }, 'call');
}

const levels: Partial<Record<ErrorCode, 'warn' | 'error'>> = {
  internal: 'error',
  unavailable: 'warn',
  bad_gateway: 'warn',
  deadline_exceeded: 'warn',
};
