import { createPatientRedis, createRedis } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import { redisNames } from '@glovebox/published/keys';
import type { RolloutCounter } from '@glovebox/published/rollout-counter';
import { ShadowRuns } from '@glovebox/published/shadow-runs';

import { createAsyncMetrics } from './async/async-metrics.ts';
import { Consumer } from './async/consumer.ts';
import { openJobQueue, queueName } from './async/job-queue.ts';
import type { OnAttemptStep, PerformContext } from './async/perform-job.ts';
import { type BtContext, answerBtRequest } from './bt/answer-bt-request.ts';
import type { RunnerConfig } from './config.ts';
import type { Deliveries } from './deliveries/delivery-queue.ts';
import type { RunnerMetrics } from './metrics.ts';
import type { AcceptContext } from './operations/accept-invocation.ts';
import type { asyncPools } from './pools.ts';
import type { RequestSealing } from './requests/request-sealing.ts';
import { RequestStore } from './requests/request-store.ts';
import type { PoolOptions } from './scheduling/worker-pool.ts';

export interface AsyncOptions {
  readonly config: Pick<RunnerConfig, 'redis' | 'async' | 'shutdownTimeoutMs'>;
  readonly context: BtContext & {
    readonly metrics: Pick<RunnerMetrics, 'registry'>;
    readonly rollouts: RolloutCounter;
  };
  /** The workers for asynchronous runs, and for their shadows. */
  readonly createPools: (answerBtRequest: PoolOptions['answerBtRequest']) => ReturnType<typeof asyncPools>;
  readonly sealing: RequestSealing;
  readonly deliveries: Deliveries;
  readonly onStep: OnAttemptStep;
}

export interface AsyncInvocations extends AsyncDisposable {
  /** For accepting invocations. */
  readonly accepting: Pick<AcceptContext, 'requests' | 'requestSealing' | 'queue'>;
  /** Takes no more jobs, and waits for those under way. */
  stop(): Promise<void>;
}

/** Connects the queue. It has two Redis connections: one waits for Redis to come back, and one does not. */
export function connectAsync(options: AsyncOptions): AsyncInvocations {
  const { config } = options;
  const { logger, metrics } = options.context;
  const { url, waitReplicas } = config.redis;
  const names = redisNames(config.redis);
  const connectionName = 'reactor-runner-async';
  const onError = redisErrors({ logger, metrics: metrics.registry, name: connectionName });
  const redis = createRedis({ url, connectionName, commandTimeoutMs: 2000, onError });
  const patient = createPatientRedis({ url, connectionName: `${connectionName}-worker`, onError });
  const { limits } = config.async;
  const requests = new RequestStore({ redis, names, waitReplicas, limits });
  const queueOptions = { redis: patient, prefix: names.queue(queueName), waitReplicas, onError };
  const queue = openJobQueue(queueOptions);
  const measured = createAsyncMetrics(metrics.registry, requests);
  const { lazy, shadows } = options.createPools((...request) => answerBtRequest(context, ...request));
  const context: PerformContext & BtContext = {
    ...options.context,
    requests,
    requestSealing: options.sealing,
    deliveries: options.deliveries,
    onStep: options.onStep,
    onWaited: (ms) => measured.waited(ms),
    shadows,
    // Of their own: they take longer.
    shadowRuns: new ShadowRuns(options.context.rollouts),
    get pool() {
      return lazy.pool;
    },
  };
  const consumer = new Consumer({
    ...config.async,
    ...queueOptions,
    context,
    shutdownTimeoutMs: config.shutdownTimeoutMs,
    metrics: measured,
    logger,
  });
  return {
    accepting: { requests, requestSealing: options.sealing, queue },
    stop: () => consumer.stop(),
    async [Symbol.asyncDispose]() {
      await consumer.stop();
      await lazy[Symbol.asyncDispose]();
      await shadows[Symbol.asyncDispose]();
      // BullMQ would wait for ever for a connection that is away.
      if (patient.status !== 'ready') patient.disconnect();
      await queue[Symbol.asyncDispose]();
      redis.disconnect();
      patient.disconnect();
    },
  };
}
