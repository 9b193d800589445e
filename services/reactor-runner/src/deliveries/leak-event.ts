import { randomUUID } from 'node:crypto';

import type { Logger } from '@glovebox/platform/telemetry/logger';
import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';
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

/** Logs and counts results that hold a value of their arguments, and emits the event; without the value. */
export function createOnLeak(
  events: Pick<WebhookEmitter, 'emit'>,
  registry: MetricsRegistry,
  logger: Logger,
): OnLeak {
  const leaks = new Counter({
    name: 'glovebox_response_leaks_total',
    help: 'Answers that held a value which was filled into the request, by what the leak guard did.',
    labelNames: ['mode'],
    registers: [registry],
  });
  // A series that first appears with a value shows no increase.
  for (const mode of ['report', 'mask', 'refuse']) leaks.inc({ mode }, 0);
  return (invocation, mode) => {
    const { tenantId, reactorId, applicationId, correlationId } = invocation;
    leaks.inc({ mode });
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
