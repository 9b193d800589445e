import { hash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import { type AppError, toAppError } from '@glovebox/platform/errors/app-error';
import { fromWireError } from '@glovebox/platform/errors/grpc';
import { statusOf } from '@glovebox/platform/errors/http';
import type { RunnerReply } from '@glovebox/protos/runner/v1/runner';
import type { EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

/** Of whose run an event tells. */
export interface Invocation {
  readonly tenantId: string;
  readonly reactorId: string;
  /** Undefined when the reactor is gone meanwhile. */
  readonly reactorName: string | undefined;
  /** A UUID of this invocation alone. */
  readonly requestId: string;
  readonly type: 'sync' | 'async';
  /** Who invoked it. */
  readonly applicationId: string;
  readonly correlationId: string;
}

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

export function invokedEvent(invocation: Invocation, at: number): EventBody {
  return eventOf(invocation, 'reactor.invoked', at, {});
}

export function endedEvent(invocation: Invocation, { type, error, elapsedMs, at }: Ending): EventBody {
  return eventOf(invocation, type, at, { elapsed_ms: elapsedMs, error });
}

function eventOf(invocation: Invocation, type: WebhookEvent, at: number, more: object): EventBody {
  const { tenantId, reactorId, reactorName, requestId, applicationId, correlationId } = invocation;
  const isAsync = invocation.type === 'async';
  return {
    id: eventId(requestId, type),
    type,
    timestamp: new Date(at).toISOString(),
    tenant_id: tenantId,
    trace_id: correlationId,
    data: {
      reactor: { id: reactorId, name: reactorName },
      request: { id: isAsync ? requestId : undefined, invocation_type: invocation.type },
      ...more,
      actor: { id: applicationId, type: 'application' },
    },
  };
}

/** The same whoever tells it again: a UUID made from the invocation's (RFC 9562, section 5.8). */
function eventId(requestId: string, type: WebhookEvent): string {
  const hex = hash('sha256', `${requestId} ${type}`, 'hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
