import type { Logger } from '@glovebox/platform/logger';
import type { Redis } from '@glovebox/platform/redis';
import { Queue } from 'bullmq';

import { type JobQueue, queueName } from './job.ts';

export interface QueueConnection extends JobQueue, AsyncDisposable {}

/** For failures of ours before code begins: the last comes some four minutes after the first. */
const attempts = 9;
const firstPauseMs = 1000;
/** The connection would wait for ever. */
const timeoutMs = 2000;
/** The greatest that BullMQ takes. */
const maxPriority = 2_097_151;

/** @param redis patient: BullMQ gives up for ever on one that was away when it was given. */
export function openQueue(redis: Redis, prefix: string, logger: Logger): QueueConnection {
  const queue = new Queue(queueName, {
    connection: redis,
    prefix,
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: {
      attempts,
      backoff: { type: 'exponential', delay: firstPauseMs, jitter: 0.5 },
      // What came of it stands beside the queue.
      removeOnComplete: true,
      removeOnFail: true,
      stackTraceLimit: 0,
    },
  });
  queue.on('error', (err) => logger.warn({ err }, 'queue'));
  return {
    async add(requestId, data, priority) {
      const options = { jobId: requestId, priority: Math.min(priority, maxPriority) };
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('Redis did not answer in time')), timeoutMs);
      await Promise.race([queue.add('invoke', data, options), late.promise]).finally(() =>
        clearTimeout(timer),
      );
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
