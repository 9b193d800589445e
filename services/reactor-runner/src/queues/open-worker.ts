import type { Redis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { type Job, Worker } from 'bullmq';

export interface QueueWorkerOptions {
  readonly name: string;
  /** Patient. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly atOnce: number;
  /** A process that has said nothing for this long is taken for dead. */
  readonly lockMs: number;
  readonly logger: Logger;
}

/** BullMQ would end a job without telling anybody: what becomes of one whose process died its taker decides. */
const manyDeaths = 1_000_000;

/** Takes jobs from a queue, as one process among any number. */
export function openWorker<Data>(
  { name, redis, prefix, atOnce, lockMs, logger }: QueueWorkerOptions,
  take: (job: Job<Data>, token: string | undefined) => Promise<void>,
): Worker<Data> {
  const worker = new Worker<Data>(name, take, {
    connection: redis,
    prefix,
    concurrency: atOnce,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: manyDeaths,
  });
  worker.on('error', (err) => logger.warn({ err, queue: name }, 'queue'));
  return worker;
}
