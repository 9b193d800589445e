import { STATUS_CODES } from 'node:http';

import { type AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { statusOf } from '@glovebox/platform/errors/http';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';

/** How it ended, in words that are fit for anybody: nothing of what the code said, got or returned. */
export interface Ending {
  readonly type: 'reactor.completed' | 'reactor.failed';
  readonly error?: string;
  readonly elapsedMs: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

type Outcome = NonNullable<RunnerReply['outcome']>;

/** Errors of code are told by their status alone: their text is the tenant's, and may hold what the code got. */
export function endingOf(outcome: Outcome, elapsedMs: number): Ending {
  const at = Date.now();
  const failed = (error: string): Ending => ({ type: 'reactor.failed', error, elapsedMs, at });
  switch (outcome.$case) {
    case 'refused':
      return failed(titleOf(outcome.value.status));
    case 'responded':
      if (outcome.value.status >= 400) return failed(titleOf(outcome.value.status));
      break;
    case 'error':
      return failed(errorTitle(fromWireError(outcome.value)));
    default:
  }
  return { type: 'reactor.completed', elapsedMs, at };
}

export function failureOf(thrown: unknown, elapsedMs: number): Ending {
  return { type: 'reactor.failed', error: errorTitle(toAppError(thrown)), elapsedMs, at: Date.now() };
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`;
}

function errorTitle(error: AppError): string {
  return error.code === 'internal' ? 'Reactor Runtime Error' : titleOf(statusOf(error.code));
}
