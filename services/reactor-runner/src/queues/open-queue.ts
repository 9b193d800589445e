import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { type JobsOptions, Queue } from 'bullmq';

export interface QueueOptions {
  readonly name: string;
  /** A patient connection: BullMQ gives up for ever on one that is away at the start. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly attempts: number;
  /** Before the second attempt; doubles with each further attempt. */
  readonly firstPauseMs: number;
  readonly logger: Logger;
}

export interface OpenQueue<Data> extends AsyncDisposable {
  /** Resolves when the job is queued. Rejects while Redis is away. */
  add(data: Data, options: JobsOptions): Promise<void>;
}

/** The patient connection itself would wait for ever. */
const timeoutMs = 2000;

/** Opens a queue. It keeps nothing of ended jobs; results are stored beside the queue. */
export function openQueue<Data>(options: QueueOptions): OpenQueue<Data> {
  const { name, redis, prefix, attempts, firstPauseMs, logger } = options;
  const queue = new Queue(name, {
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
  queue.on('error', (err) => logger.warn({ err, queue: name }, 'queue'));
  return {
    async add(data, job) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('Redis did not answer in time')), timeoutMs);
      const added = queue.add(name, data, job);
      await Promise.race([added, late.promise]).finally(() => clearTimeout(timer));
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
