import type { Logger } from '@glovebox/platform/telemetry/logger';
import { LRUCache } from 'lru-cache';

import { type QueueOptions, openQueue } from '../queues/open-queue.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { type Delivery, deliveryId, deliveryQueueName, endpointOf } from './delivery.ts';
import type { OpenDeliveries } from './open-deliveries.ts';

export interface Deliveries {
  /** @returns whether it is queued; else there was no room for it. Rejects while Redis is away. */
  add(delivery: Delivery): Promise<boolean>;
}

export interface DeliveryQueueOptions extends Omit<QueueOptions, 'name'> {
  readonly open: OpenDeliveries;
  readonly metrics: DeliveryMetrics;
  readonly logger: Logger;
}

export function openDeliveryQueue(options: DeliveryQueueOptions): Deliveries & AsyncDisposable {
  const { open, metrics, logger } = options;
  const logRefusal = refusalLog(logger);
  const queue = openQueue<Delivery>({ ...options, name: deliveryQueueName });
  return {
    async add(delivery) {
      const id = deliveryId(delivery);
      if (!(await open.admit(id, endpointOf(delivery)))) {
        metrics.lost('limit');
        logRefusal(id, delivery);
        return false;
      }
      try {
        await queue.add(delivery, { jobId: id });
        return true;
      } catch (error) {
        // If it was queued all the same, it is delivered without being counted.
        await open.end(id, endpointOf(delivery)).catch(() => undefined);
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

const refusalPauseMs = 60_000;
const endpointsAtOnce = 1000;

/** Refusals may come as fast as tokens are read, so they are logged once a minute for each endpoint, with their number. */
function refusalLog(logger: Logger): (id: string, delivery: Delivery) => void {
  const logged = new LRUCache<string, { readonly until: number; unlogged: number }>({ max: endpointsAtOnce });
  return (id, delivery) => {
    const endpoint = endpointOf(delivery);
    const last = logged.get(endpoint);
    if (last !== undefined && Date.now() < last.until) {
      last.unlogged += 1;
      return;
    }
    logged.set(endpoint, { until: Date.now() + refusalPauseMs, unlogged: 0 });
    const { kind, tenantId } = delivery;
    const refused = 1 + (last?.unlogged ?? 0);
    logger.warn(
      { deliveryId: id, kind, tenantId, refused },
      'too much waits for this endpoint: not delivered',
    );
  };
}
