import { Counter, Gauge, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { Delivery } from './delivery.ts';
import type { OpenDeliveries } from './open-deliveries.ts';

/**
 * How an attempt ended: `failed` is retried, `given_up` is not, `withdrawn` is not wanted any more, and `postponed` could
 * not begin for a reason of the platform.
 */
export type AttemptOutcome = 'delivered' | 'failed' | 'given_up' | 'withdrawn' | 'postponed';

export interface DeliveryMetrics {
  attempted(kind: Delivery['kind'], outcome: AttemptOutcome): void;
  /** @param reason `limit`: too much waits already; `queue`: it could not be queued */
  lost(reason: 'limit' | 'queue'): void;
}

export function createDeliveryMetrics(
  registry: MetricsRegistry,
  deliveries: Pick<OpenDeliveries, 'open'>,
): DeliveryMetrics {
  const attempts = new Counter({
    name: 'glovebox_runner_delivery_attempts_total',
    help: 'Attempts to deliver an event to a webhook, or a result to its callback, by how they ended.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  const lost = new Counter({
    name: 'glovebox_runner_deliveries_lost_total',
    help: 'Events and results that will not be delivered, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // A series that first appears with a value shows no increase.
  for (const reason of ['limit', 'queue']) lost.inc({ reason }, 0);
  registry.registerMetric(
    new Gauge({
      name: 'glovebox_runner_deliveries_open',
      help: 'Deliveries that wait for an attempt; of all runners together.',
      registers: [],
      async collect() {
        // While Redis is away the last value stays.
        const open = await deliveries.open().catch(() => undefined);
        if (open !== undefined) this.set(open);
      },
    }),
  );
  return {
    attempted: (kind, outcome) => attempts.inc({ kind, outcome }),
    lost: (reason) => lost.inc({ reason }),
  };
}
