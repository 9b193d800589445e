import { STATUS_CODES } from 'node:http';

import { AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { statusOf } from '@glovebox/platform/errors/http';

import type { Reply } from '../replies/reply.ts';

/** How an invocation ended, without anything that the code said, received or returned. */
export interface InvocationEnd {
  readonly type: 'reactor.completed' | 'reactor.failed';
  readonly error?: string;
  readonly elapsedMs: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An error of code is described by its status alone: its text may hold what the code received. */
export function invocationEndOf(reply: Reply, elapsedMs: number): InvocationEnd {
  const at = Date.now();
  const failed = (error: string): InvocationEnd => ({ type: 'reactor.failed', error, elapsedMs, at });
  switch (reply.$case) {
    case 'refused':
      return failed(titleOf(reply.value.status));
    case 'responded':
      if (reply.value.status >= 400) return failed(titleOf(reply.value.status));
      break;
    case 'error':
      return failed(errorTitle(fromWireError(reply.value)));
    default:
  }
  return { type: 'reactor.completed', elapsedMs, at };
}

export function failureOf(thrown: unknown, elapsedMs: number): InvocationEnd {
  return { type: 'reactor.failed', error: errorTitle(toAppError(thrown)), elapsedMs, at: Date.now() };
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}

function errorTitle(error: AppError): string {
  return error.code === 'internal' ? 'Reactor Runtime Error' : titleOf(statusOf(error.code));
}

/** The code may have had effects before it stopped, so it is not run a second time. */
export function interrupted(): AppError {
  return runtimeError(
    'The invocation was interrupted while its code ran. What the code did until then is unknown; it is not run again.',
  );
}

/** A failure of the platform as a stored result says it: a 503 would suggest that asking again helps. */
export function runtimeError(problem: string): AppError {
  return new AppError('internal', 'Reactor Runtime Error', { errors: { error: [problem] } });
}
