import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { openQueue } from '../queues/open-queue.ts';
import { type JobData, type JobQueue, queueName } from './job.ts';

export interface QueueConnection extends JobQueue, AsyncDisposable {}

/** For failures of ours before code begins: the last comes some four minutes after the first. */
const attempts = 9;
const firstPauseMs = 1000;
/** The greatest that BullMQ takes. */
const maxPriority = 2_097_151;

export function openJobQueue(redis: Redis, prefix: string, logger: Logger): QueueConnection {
  const queue = openQueue<JobData>({ name: queueName, redis, prefix, attempts, firstPauseMs, logger });
  return {
    add: (requestId, data, priority) =>
      queue.add(data, { jobId: requestId, priority: Math.min(priority, maxPriority) }),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}
