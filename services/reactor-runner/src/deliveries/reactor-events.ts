import { hash } from 'node:crypto';

import type { EventBody, WebhookEvent } from '@glovebox/published/webhook-events';

import type { InvocationEnd } from '../requests/invocation-end.ts';

/** The invocation that an event is about. */
export interface InvocationDetails {
  readonly tenantId: string;
  readonly reactorId: string;
  /** Undefined when the reactor has been deleted. */
  readonly reactorName: string | undefined;
  /** A UUID of this invocation alone. */
  readonly requestId: string;
  readonly type: 'sync' | 'async';
  /** The invoker. */
  readonly applicationId: string;
  readonly correlationId: string;
}

export function invokedEvent(invocation: InvocationDetails, at: number): EventBody {
  return eventOf(invocation, 'reactor.invoked', at, {});
}

export function endedEvent(
  invocation: InvocationDetails,
  { type, error, elapsedMs, at }: InvocationEnd,
): EventBody {
  return eventOf(invocation, type, at, { elapsed_ms: elapsedMs, error });
}

function eventOf(invocation: InvocationDetails, type: WebhookEvent, at: number, more: object): EventBody {
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

/** Derived from the invocation's id, so that an event that is emitted again keeps its id (RFC 9562, section 5.8). */
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
