import { createPatientRedis, createRedis } from '@glovebox/platform/db/redis';

import { createAsyncMetrics } from './async/async-metrics.ts';
import { Consumer } from './async/consumer.ts';
import { openJobQueue } from './async/job-queue.ts';
import type { OnStep, PerformContext } from './async/perform-job.ts';
import { type AskContext, answerAsk } from './bt/answer-bt-request.ts';
import type { RunnerConfig } from './config.ts';
import type { Deliveries } from './deliveries/delivery-queue.ts';
import type { RunnerMetrics } from './metrics.ts';
import type { AcceptContext } from './operations/accept-invocation.ts';
import type { JobSealing } from './requests/request-sealing.ts';
import { Requests } from './requests/requests.ts';
import type { PoolOptions, WorkerPool } from './scheduling/worker-pool.ts';

export interface AsyncOptions {
  readonly config: Pick<RunnerConfig, 'redis' | 'async' | 'shutdownTimeoutMs'>;
  readonly context: AskContext & { readonly metrics: Pick<RunnerMetrics, 'registry'> };
  /** Workers of their own for the second halves. */
  readonly createPool: (answerAsk: PoolOptions['answerAsk']) => WorkerPool;
  readonly sealing: JobSealing;
  readonly deliveries: Deliveries;
  readonly onStep: OnStep;
}

export interface AsyncInvocations extends AsyncDisposable {
  /** What first halves need. */
  readonly accepting: Pick<AcceptContext, 'requests' | 'jobSealing' | 'queue'>;
  /** Takes nothing more from the queue, and waits for what is under way. */
  stop(): Promise<void>;
}

/** The queue on connections of its own: one waits for Redis, and one does not. */
export function connectAsync(options: AsyncOptions): AsyncInvocations {
  const { config } = options;
  const { logger, metrics } = options.context;
  const { url, prefix } = config.redis;
  const onError = (err: Error) => logger.warn({ err }, 'redis connection of the queue');
  const connectionName = 'reactor-runner-async';
  const redis = createRedis({ url, connectionName, commandTimeoutMs: 2000, onError });
  const patient = createPatientRedis({ url, connectionName: `${connectionName}-worker`, onError });
  const { limits } = config.async;
  const requests = new Requests({ redis, prefix, limits });
  const queue = openJobQueue(patient, `${prefix}:bull`, logger);
  const measured = createAsyncMetrics(metrics.registry, requests);
  const late = new LatePool(() => options.createPool((job, ...ask) => answerAsk(context, job, ...ask)));
  const context: PerformContext & AskContext = {
    ...options.context,
    requests,
    jobSealing: options.sealing,
    deliveries: options.deliveries,
    onStep: options.onStep,
    onWaited: (ms) => measured.waited(ms),
    get pool() {
      return late.pool;
    },
  };
  const consumer = new Consumer({
    ...config.async,
    context,
    redis: patient,
    prefix: `${prefix}:bull`,
    shutdownTimeoutMs: config.shutdownTimeoutMs,
    metrics: measured,
    logger,
  });
  return {
    accepting: { requests, jobSealing: options.sealing, queue },
    stop: () => consumer.stop(),
    async [Symbol.asyncDispose]() {
      await consumer.stop();
      await late[Symbol.asyncDispose]();
      // BullMQ would wait for ever for a connection that is away.
      if (patient.status !== 'ready') patient.disconnect();
      await queue[Symbol.asyncDispose]();
      redis.disconnect();
      patient.disconnect();
    },
  };
}

/** A pool that is made when it is first needed: most runners of most installations have nothing asynchronous to do. */
class LatePool implements AsyncDisposable {
  readonly #create: () => WorkerPool;
  #pool: WorkerPool | undefined;

  constructor(create: () => WorkerPool) {
    this.#create = create;
  }

  get pool(): WorkerPool {
    return (this.#pool ??= this.#create());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.[Symbol.asyncDispose]();
  }
}
