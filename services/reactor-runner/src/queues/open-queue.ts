import type { PatientRedis } from '@glovebox/platform/db/redis';
import { awaitReplicas } from '@glovebox/platform/db/redis-replicas';
import { type JobsOptions, Queue } from 'bullmq';

export interface QueueOptions {
  readonly name: string;
  /** A patient connection: BullMQ gives up for ever on one that is away at the start. */
  readonly redis: PatientRedis;
  /** In a cluster with a tag: BullMQ's scripts touch several names. */
  readonly prefix: string;
  /** How many replicas must have a job before it counts as queued. */
  readonly waitReplicas: number;
  readonly attempts: number;
  /** Before the second attempt; doubles with each further attempt. */
  readonly firstPauseMs: number;
  readonly onError: (error: Error) => void;
}

export interface OpenQueue<Data> extends AsyncDisposable {
  /** Resolves when the job is queued. Rejects while Redis is away. */
  add(data: Data, options: JobsOptions): Promise<void>;
}

/** The patient connection itself would wait for ever. */
const timeoutMs = 2000;

/** Opens a queue. It keeps nothing of ended jobs; results are stored beside the queue. */
export function openQueue<Data>(options: QueueOptions): OpenQueue<Data> {
  const { name, redis, prefix, attempts, firstPauseMs, onError } = options;
  const replicated = awaitReplicas(redis, options.waitReplicas);
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
  queue.on('error', onError);
  return {
    async add(data, job) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error('Redis did not answer in time')), timeoutMs);
      const added = queue.add(name, data, job).then(() => replicated(queue.toKey('')));
      await Promise.race([added, late.promise]).finally(() => clearTimeout(timer));
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
