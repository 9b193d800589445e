import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { type JobsOptions, Queue } from 'bullmq';

export interface QueueOptions {
  readonly name: string;
  /** Patient: BullMQ gives up for ever on one that was away when it was given. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly attempts: number;
  /** Before the second attempt; each further one waits twice as long. */
  readonly firstPauseMs: number;
  readonly logger: Logger;
}

export interface OpenQueue<Data> extends AsyncDisposable {
  /** Resolves when it stands in the queue. Rejects while Redis is away. */
  add(data: Data, options: JobsOptions): Promise<void>;
}

/** The connection would wait for ever. */
const timeoutMs = 2000;

/** A queue that keeps nothing of what has ended: what came of it stands beside the queue, if anywhere. */
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
