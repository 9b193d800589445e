import type { Logger } from '@glovebox/platform/logger';
import type { Redis } from '@glovebox/platform/redis';
import { Queue } from 'bullmq';

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

/** The connection would wait for ever. */
const timeoutMs = 2000;

export function openDeliveryQueue(options: DeliveryQueueOptions): Deliveries & AsyncDisposable {
  const { redis, prefix, open, attempts, firstPauseMs, metrics, logger } = options;
  const queue = new Queue(deliveryQueueName, {
    connection: redis,
    prefix,
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: {
      attempts,
      backoff: { type: 'exponential', delay: firstPauseMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: true,
      stackTraceLimit: 0,
    },
  });
  queue.on('error', (err) => logger.warn({ err }, 'queue of deliveries'));
  return {
    async add(delivery) {
      const id = deliveryId(delivery);
      if (!(await open.admit(id, endpointOf(delivery)))) {
        metrics.lost('limit');
        const { kind, tenantId } = delivery;
        logger.warn({ deliveryId: id, kind, tenantId }, 'too much waits for this endpoint: not delivered');
        return;
      }
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('Redis did not answer in time')), timeoutMs);
      const added = queue.add('deliver', delivery, { jobId: id });
      await Promise.race([added, late.promise]).finally(() => clearTimeout(timer));
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
