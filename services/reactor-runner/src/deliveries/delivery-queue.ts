import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { LRUCache } from 'lru-cache';

import { openQueue } from '../queues/open-queue.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { type Delivery, deliveryId, deliveryQueueName, endpointOf } from './delivery.ts';
import type { OpenDeliveries } from './open-deliveries.ts';

/** Takes what is to be delivered. */
export interface Deliveries {
  /** Resolves when it stands in the queue, or there is no room for it. Rejects while Redis is away. */
  add(delivery: Delivery): Promise<void>;
}

export interface DeliveryQueueOptions {
  /** Patient: BullMQ gives up for ever on one that was away when it was given. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly open: OpenDeliveries;
  readonly attempts: number;
  /** Before the second attempt; each further one waits twice as long. */
  readonly firstPauseMs: number;
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
        return;
      }
      try {
        await queue.add(delivery, { jobId: id });
      } catch (error) {
        // If it stands in the queue all the same, it is delivered without being counted.
        await open.end(id, endpointOf(delivery)).catch(() => undefined);
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

const refusalPauseMs = 60_000;
const endpointsAtOnce = 1000;

/** A dead endpoint refuses as fast as its tenant's tokens are read: it is told of once a minute, with how many it were. */
function refusalLog(logger: Logger): (id: string, delivery: Delivery) => void {
  const told = new LRUCache<string, { readonly until: number; untold: number }>({ max: endpointsAtOnce });
  return (id, delivery) => {
    const endpoint = endpointOf(delivery);
    const last = told.get(endpoint);
    if (last !== undefined && Date.now() < last.until) {
      last.untold += 1;
      return;
    }
    told.set(endpoint, { until: Date.now() + refusalPauseMs, untold: 0 });
    const { kind, tenantId } = delivery;
    const refused = 1 + (last?.untold ?? 0);
    logger.warn(
      { deliveryId: id, kind, tenantId, refused },
      'too much waits for this endpoint: not delivered',
    );
  };
}
