import type { PatientRedis } from '@glovebox/platform/db/redis';
import { type Job, Worker } from 'bullmq';

export interface QueueWorkerOptions {
  readonly name: string;
  /** Patient. */
  readonly redis: PatientRedis;
  readonly prefix: string;
  readonly atOnce: number;
  /** A process that has not renewed its lock for this long counts as dead. */
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
}

/** Beyond this count, BullMQ would drop a job silently. The consumer decides what happens after a death. */
const manyDeaths = 1_000_000;

/** Takes jobs from a queue. Any number of processes may do so. */
export function openWorker<Data>(
  { name, redis, prefix, atOnce, lockMs, onError }: QueueWorkerOptions,
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
  worker.on('error', onError);
  return worker;
}
