import type { PatientRedis } from '@glovebox/platform/db/redis';
import { toAppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { DelayedError, type Job, type Worker } from 'bullmq';

import { openWorker } from '../queues/open-worker.ts';
import { type DeliverContext, deliver } from './deliver.ts';
import type { AttemptOutcome, DeliveryMetrics } from './delivery-metrics.ts';
import type { Attempted, DeliveryRecord } from './delivery-record.ts';
import { DeliveryShares } from './delivery-shares.ts';
import { type Delivery, deliveryQueueName, endpointOf } from './delivery.ts';
import { type OpenDeliveries, deliveryLifeMs } from './open-deliveries.ts';

export interface DeliveryConsumerOptions {
  readonly context: DeliverContext;
  /** Patient. */
  readonly redis: PatientRedis;
  readonly prefix: string;
  readonly onError: (error: Error) => void;
  readonly atOnce: number;
  readonly atOncePerEndpoint: number;
  /** A process that has not renewed its lock for this long counts as dead. */
  readonly lockMs: number;
  readonly open: OpenDeliveries;
  readonly record: DeliveryRecord;
  readonly metrics: DeliveryMetrics;
  readonly logger: Logger;
  /** Called before each attempt, for tests. */
  readonly onAttempt: (delivery: Delivery) => void | Promise<void>;
}

const longestWaitMs = 60_000;
const lastMomentMs = 2000;
/** The pause while the vault or Redis is away. */
const awayMs = 5000;

/** BullMQ writes the message to Redis, and retries. */
class NotDelivered extends Error {}

/** Makes deliveries, at least once each. Any number of processes may do so. */
export class DeliveryConsumer implements AsyncDisposable {
  readonly #options: DeliveryConsumerOptions;
  readonly #worker: Worker<Delivery>;
  readonly #shares: DeliveryShares;
  readonly #stopping = new AbortController();
  #stopped: Promise<void> | undefined;

  constructor(options: DeliveryConsumerOptions) {
    this.#options = options;
    this.#shares = new DeliveryShares(options.atOncePerEndpoint);
    this.#worker = openWorker<Delivery>({ ...options, name: deliveryQueueName }, (job, token) =>
      this.#take(job, token),
    );
  }

  /** Takes no more deliveries. Those under way have a moment to end, and are otherwise left to another process. */
  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  async #close(): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), lastMomentMs);
    await this.#worker.close(this.#options.redis.status !== 'ready');
    clearTimeout(timer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #take(job: Job<Delivery>, token: string | undefined): Promise<void> {
    const endpoint = endpointOf(job.data);
    using share = this.#shares.enter(endpoint);
    if (share === undefined) return this.#postpone(job, token, await this.#pauseOf(endpoint));
    const { open, record, logger, context, onAttempt } = this.#options;
    const startedAt = Date.now();
    try {
      await onAttempt(job.data);
      const delivered = await deliver(context, job.data, this.#stopping.signal);
      this.#shares.record(endpoint, delivered.outcome !== 'failed');
      if (delivered.outcome === 'failed') return await this.#fail(job, startedAt, delivered);
      this.#count(job, delivered.outcome);
      if (delivered.outcome === 'delivered') await record.note(job.data, 'delivered', startedAt, delivered);
      else await record.giveUp(job.data, 'withdrawn');
      await open.end(job.id ?? '', endpoint).catch(() => undefined);
    } catch (error) {
      if (error instanceof NotDelivered) throw error;
      // Waiting does not help: it counts as an attempt, and there are few of these.
      if (toAppError(error).code === 'integrity_violation')
        return await this.#fail(job, startedAt, { reason: 'integrity_violation' });
      if (Date.now() - job.timestamp > deliveryLifeMs) return await this.#giveUp(job, startedAt);
      this.#count(job, 'postponed');
      logger.warn({ err: error, deliveryId: job.id }, 'a delivery could not be made yet');
      return await this.#postpone(job, token, awayMs);
    }
  }

  /** @throws NotDelivered unless this was the last attempt */
  async #fail(job: Job<Delivery>, startedAt: number, failed: Attempted): Promise<void> {
    const { open, record, logger } = this.#options;
    const { reason } = failed;
    const { kind, tenantId } = job.data;
    const attempt = job.attemptsMade + 1;
    const isLast = attempt >= (job.opts.attempts ?? 1);
    this.#count(job, isLast ? 'given_up' : 'failed');
    logger.warn({ deliveryId: job.id, kind, tenantId, reason, attempt, isLast }, 'delivery failed');
    await record.note(job.data, isLast ? 'failed' : 'retrying', startedAt, failed);
    if (!isLast) throw new NotDelivered(`not delivered: ${reason ?? 'unknown'}`);
    await open.end(job.id ?? '', endpointOf(job.data)).catch(() => undefined);
  }

  /** For a delivery that could not be attempted in its lifetime. */
  async #giveUp(job: Job<Delivery>, startedAt: number): Promise<void> {
    const { open, record, logger } = this.#options;
    const { kind, tenantId } = job.data;
    const reason = 'not delivered in its time';
    this.#count(job, 'given_up');
    logger.warn({ deliveryId: job.id, kind, tenantId, reason }, 'delivery given up');
    await record.note(job.data, 'failed', startedAt, { reason });
    await open.end(job.id ?? '', endpointOf(job.data)).catch(() => undefined);
  }

  /** The more deliveries wait for an endpoint, the longer each waits; longest for a failing endpoint. */
  async #pauseOf(endpoint: string): Promise<number> {
    const open = await this.#options.open.openOf(endpoint).catch(() => 0);
    return this.#shares.isFailing(endpoint) ? Math.min(longestWaitMs, 1000 + 20 * open) : 20 + open;
  }

  async #postpone(job: Job<Delivery>, token: string | undefined, ms: number): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.ceil(ms * (0.5 + Math.random())), token);
    throw new DelayedError();
  }

  #count(job: Job<Delivery>, outcome: AttemptOutcome): void {
    this.#options.metrics.attempted(job.data.kind, outcome);
  }
}
