import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
import { createPatientRedis, createRedis } from '@glovebox/platform/db/redis';
import { redisErrors } from '@glovebox/platform/db/redis-errors';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { DeliveryStore } from '@glovebox/published/delivery-store';
import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import { RolloutCounter } from '@glovebox/published/rollout-counter';
import { ShadowRuns } from '@glovebox/published/shadow-runs';

import type { RunnerConfig } from './config.ts';
import type { Upstreams } from './connect-upstreams.ts';
import { DeliveryConsumer, type DeliveryConsumerOptions } from './deliveries/delivery-consumer.ts';
import { createDeliveryMetrics } from './deliveries/delivery-metrics.ts';
import { type Deliveries, openDeliveryQueue } from './deliveries/delivery-queue.ts';
import { DeliveryRecord } from './deliveries/delivery-record.ts';
import { deliveryQueueName } from './deliveries/delivery.ts';
import { takeEvents } from './deliveries/event-intake.ts';
import { OpenDeliveries } from './deliveries/open-deliveries.ts';
import { WebhookEmitter } from './deliveries/webhook-emitter.ts';
import type { RunnerMetrics } from './metrics.ts';
import { networkOptions } from './network-options.ts';
import { RequestStore } from './requests/request-store.ts';

export interface DeliveriesOptions {
  readonly config: Pick<
    RunnerConfig,
    'redis' | 'async' | 'deliveries' | 'docsUrl' | 'egress' | 'grpc' | 'metrics' | 'vault'
  >;
  readonly upstreams: Pick<Upstreams, 'published' | 'requestSealing' | 'openSecret' | 'noteViolation'>;
  readonly metrics: Pick<RunnerMetrics, 'registry'>;
  readonly logger: Logger;
  readonly onAttempt: DeliveryConsumerOptions['onAttempt'];
}

export interface DeliveriesConnection extends AsyncDisposable {
  readonly events: WebhookEmitter;
  readonly deliveries: Deliveries;
  /** For invocations. */
  readonly context: {
    readonly events: WebhookEmitter;
    readonly rollouts: RolloutCounter;
    readonly shadowRuns: ShadowRuns;
    /** Which addresses deliveries may go to. */
    readonly callbackPolicy: EgressPolicy;
  };
  /** Makes no further attempts, and waits for those under way. */
  stop(): Promise<void>;
}

/** Connects the queue of webhook events and callbacks, and starts its consumer. */
export function connectDeliveries(options: DeliveriesOptions): DeliveriesConnection {
  const { config, upstreams, logger } = options;
  const { url, waitReplicas } = config.redis;
  const names = redisNames(config.redis);
  const connectionName = 'reactor-runner-deliveries';
  const onError = redisErrors({ logger, metrics: options.metrics.registry, name: connectionName });
  const redis = createRedis({ url, connectionName, commandTimeoutMs: 2000, onError });
  const patient = createPatientRedis({ url, connectionName: `${connectionName}-worker`, onError });
  const { atOnce, atOncePerEndpoint, timeoutMs, attempts, firstPauseMs, limits } = config.deliveries;
  const open = new OpenDeliveries(redis, names, limits);
  const metrics = createDeliveryMetrics(options.metrics.registry, open);
  const prefix = names.queue(deliveryQueueName);
  const shared = { redis: patient, prefix, waitReplicas, onError, open, metrics, logger };
  const deliveries = openDeliveryQueue({ ...shared, attempts, firstPauseMs });
  const { policy, ownListeners } = networkOptions(config);
  const dispatcher = createGuardedDispatcher({
    policy,
    ownListeners: () => ownListeners,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    maxConnectionsPerOrigin: atOnce,
  });
  const requests = new RequestStore({ redis, names, waitReplicas, limits: config.async.limits });
  const record = new DeliveryRecord(new DeliveryStore(redis, names));
  const consumer = new DeliveryConsumer({
    ...shared,
    context: { ...upstreams, requests, policy, dispatcher, timeoutMs, docsUrl: config.docsUrl },
    atOnce,
    atOncePerEndpoint,
    lockMs: config.async.lockMs,
    record,
    onAttempt: options.onAttempt,
  });
  const events = new WebhookEmitter({ published: upstreams.published, deliveries, record, metrics, logger });
  const onLost = (err: unknown) => logger.warn({ err }, 'figures of rollouts were lost');
  const rollouts = new RolloutCounter({ redis, names, onLost });
  const intake = takeEvents({ inbox: new EventInbox(redis, names), events, logger });
  const stop = async () => {
    await Promise.all([intake[Symbol.asyncDispose](), consumer.stop()]);
  };
  return {
    deliveries,
    context: { events, rollouts, shadowRuns: new ShadowRuns(rollouts), callbackPolicy: policy },
    events,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await dispatcher.destroy();
      // BullMQ would wait for ever for a connection that is away.
      if (patient.status !== 'ready') patient.disconnect();
      await deliveries[Symbol.asyncDispose]();
      await rollouts[Symbol.asyncDispose]();
      redis.disconnect();
      patient.disconnect();
    },
  };
}
