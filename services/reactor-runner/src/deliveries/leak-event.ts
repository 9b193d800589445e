import { randomUUID } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { ResponseLeak } from '@glovebox/published/response-leaks';
import type { EventBody } from '@glovebox/published/webhook-events';

import type { InvocationDetails } from './reactor-events.ts';
import type { WebhookEmitter } from './webhook-emitter.ts';

/** The invocation whose result held a value. */
export type LeakDetails = Pick<
  InvocationDetails,
  'tenantId' | 'reactorId' | 'reactorName' | 'applicationId' | 'correlationId'
>;

/** @param mode what the leak guard has done */
export type OnLeak = (invocation: LeakDetails, mode: string) => void;

/**
 * Logs results that hold a value of their arguments, and emits the event; without the value.
 * @param noteLeak counts it, and has it recorded in the audit log
 */
export function createOnLeak(
  events: Pick<WebhookEmitter, 'emit'>,
  noteLeak: (leak: ResponseLeak) => void,
  logger: Logger,
): OnLeak {
  return (invocation, mode) => {
    const { tenantId, reactorId, applicationId, correlationId } = invocation;
    noteLeak({
      tenantId,
      subjectType: 'reactor',
      subjectId: reactorId,
      destination: '',
      mode,
      applicationId,
      correlationId,
    });
    logger.warn({ tenantId, reactorId, applicationId, correlationId, mode }, 'leak guard');
    events
      .emit(leakEvent(invocation, mode))
      .catch((err: unknown) => logger.warn({ err }, 'an event could not be queued'));
  };
}

function leakEvent(invocation: LeakDetails, mode: string): EventBody {
  const { tenantId, reactorId, reactorName, applicationId, correlationId } = invocation;
  return {
    id: randomUUID(),
    type: 'reactor.response_leak',
    timestamp: new Date().toISOString(),
    tenant_id: tenantId,
    trace_id: correlationId,
    data: {
      reactor: { id: reactorId, name: reactorName },
      mode,
      found_in: ['body'],
      actor: { id: applicationId, type: 'application' },
    },
  };
}
