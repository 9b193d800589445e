import type { PatientRedis } from '@glovebox/platform/db/redis';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { SpanKind, contextOf, isSampled, withSpan } from '@glovebox/platform/telemetry/tracing';
import { DelayedError, type Job, type Worker } from 'bullmq';

import { openWorker } from '../queues/open-worker.ts';
import { KeyCounts } from '../values/key-counts.ts';
import type { AsyncMetrics } from './async-metrics.ts';
import { type JobData, queueName } from './job-queue.ts';
import { type Attempt, type PerformContext, NotStarted, performJob } from './perform-job.ts';

export interface ConsumerOptions {
  readonly context: PerformContext;
  /** Patient. */
  readonly redis: PatientRedis;
  readonly prefix: string;
  readonly onError: (error: Error) => void;
  readonly atOnce: number;
  readonly atOncePerTenant: number;
  /** Wall time of one run. */
  readonly wallMs: number;
  /** A process that has not renewed its lock for this long counts as dead. */
  readonly lockMs: number;
  readonly shutdownTimeoutMs: number;
  readonly metrics: AsyncMetrics;
  readonly logger: Logger;
}

const longestWaitMs = 10_000;

/** Takes invocations from the queue and performs them. Any number of processes may do so. */
export class Consumer implements AsyncDisposable {
  readonly #options: ConsumerOptions;
  readonly #worker: Worker<JobData>;
  readonly #underWay = new KeyCounts();
  readonly #running = new Map<string, AbortController>();
  #stopped: Promise<void> | undefined;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#worker = openWorker<JobData>({ ...options, name: queueName }, (job, token) =>
      this.#take(job, token),
    );
  }

  /** Takes no more jobs, and waits for those under way, at most as long as a shutdown may take. */
  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #close(): Promise<void> {
    const { shutdownTimeoutMs, redis } = this.#options;
    // Without a connection, closing gracefully would wait for ever, and BullMQ would keep reconnecting.
    const force = redis.status !== 'ready' && this.#running.size === 0;
    const closed = this.#worker.close(force).then(() => 'closed');
    const timer = setTimeout(() => {
      for (const attempt of this.#running.values()) attempt.abort();
    }, shutdownTimeoutMs);
    const given = Promise.withResolvers<string>();
    const last = setTimeout(() => given.resolve('given up'), shutdownTimeoutMs + settleMs);
    await Promise.race([closed, given.promise]);
    clearTimeout(timer);
    clearTimeout(last);
  }

  async #take(job: Job<JobData>, token: string | undefined): Promise<void> {
    const requestId = job.id ?? '';
    const { tenantId } = job.data;
    const { atOncePerTenant } = this.#options;
    using counted = this.#running.has(requestId)
      ? undefined
      : this.#underWay.enter(tenantId, atOncePerTenant);
    if (counted === undefined) return this.#postpone(job, token);
    const own = new AbortController();
    this.#running.set(requestId, own);
    try {
      const result = await this.#perform(job, requestId, own.signal);
      this.#options.metrics.ended(result);
    } catch (error) {
      this.#options.metrics.ended('postponed');
      // BullMQ writes this error to Redis, and retries the job.
      if (error instanceof NotStarted) throw error;
      this.#options.logger.warn({ err: error, requestId }, 'asynchronous invocation is tried again');
      return await this.#postpone(job, token);
    } finally {
      this.#running.delete(requestId);
    }
  }

  /** The more requests the tenant has open, the longer each waits. */
  async #postpone(job: Job<JobData>, token: string | undefined): Promise<never> {
    const open = await this.#options.context.requests.openOf(job.data.tenantId);
    const waitMs = Math.min(longestWaitMs, 200 + 10 * open) * (0.5 + Math.random());
    await job.moveToDelayed(Date.now() + Math.ceil(waitMs), token);
    throw new DelayedError();
  }

  #perform(job: Job<JobData>, requestId: string, signal: AbortSignal) {
    const { context, wallMs } = this.#options;
    const lifetime = {
      // Half of it is for a worker to become free.
      deadline: Date.now() + 2 * wallMs,
      signal,
      get cancelled() {
        return signal.aborted;
      },
    };
    const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
    const attempt: Attempt = {
      requestId,
      data: job.data,
      isLast,
      isFirst: job.attemptsMade === 0,
      deaths: job.stalledCounter,
      lifetime,
      trace: undefined,
    };
    const { traceparent } = job.data;
    const parent = traceparent === '' ? undefined : contextOf(traceparent);
    if (parent === undefined || !isSampled(parent)) return performJob(context, attempt);
    return withSpan('runner.performAsync', { kind: SpanKind.CONSUMER }, parent, (trace) =>
      performJob(context, { ...attempt, trace }),
    );
  }
}

/** Time for cancelled attempts to store that they were cancelled. */
const settleMs = 2000;
