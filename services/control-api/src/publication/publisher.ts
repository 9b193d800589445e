import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { ROOT_CONTEXT, context } from '@glovebox/platform/telemetry/tracing';
import { hasStoredEvents } from '@glovebox/published/event-outbox';

import { EventHandOver, type EventHandOverOptions } from './event-hand-over.ts';
import type { PublisherMetrics } from './metrics.ts';
import { readBacklog, readInstallation } from './outbox.ts';
import { FencedPublisher } from './projection.ts';
import { type RoundDependencies, looksWhole, publishRound } from './publish-round.ts';
import type { Rebuilt } from './rebuild.ts';

export interface PublisherOptions extends RoundDependencies, Pick<EventHandOverOptions, 'inbox'> {
  readonly logger: Logger;
  readonly metrics: PublisherMetrics;
}

const pollMs = 500;
const maxFencedInARow = 5;

/** Brings what is in the outbox to Redis, events to where they are delivered from, and Redis back when it lost something. */
export class Publisher implements AsyncDisposable {
  readonly #options: PublisherOptions;
  readonly #events: EventHandOver;
  #stopping = false;
  #pause = new AbortController();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #loop: Promise<void> = Promise.resolve();
  #problem: string | undefined = 'not checked yet';

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#events = new EventHandOver({ ...options, metrics: options.metrics.events });
  }

  /** Watches outbox and projection from now on, for what nobody waits for. */
  start(): void {
    this.#loop = context.with(ROOT_CONTEXT, () => this.#watch());
  }

  /** Looks at once, e.g. because Redis came back. */
  wake(): void {
    this.#pause.abort();
  }

  /** Why the projection can't be relied on; undefined when it can. */
  problem(): string | undefined {
    return this.#problem;
  }

  /** Resolves when everything that was committed before this call is published. Callers share runs. */
  flush(): Promise<void> {
    if (this.#running === undefined) return this.#run();
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#run());
    return this.#next;
  }

  /** Makes the projection anew from the database, whole or not. */
  rebuild(): Promise<Rebuilt> {
    return retryWhenFenced(async () => {
      const { rebuilt } = await publishRound(this.#options, true);
      if (rebuilt === undefined) throw new Error('the projection was not rebuilt');
      return rebuilt;
    });
  }

  /** Finishes the current round, then stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#pause.abort();
    await this.#loop;
    await Promise.allSettled([this.#running, this.#next]);
  }

  #run(): Promise<void> {
    this.#next = undefined;
    this.#running = context
      .with(ROOT_CONTEXT, () => this.#drain())
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #drain(): Promise<void> {
    try {
      for (let more = true; more;) more = await retryWhenFenced(() => this.#round());
    } catch (error) {
      this.#options.metrics.failures.inc();
      throw error;
    }
  }

  async #round(): Promise<boolean> {
    const { metrics, logger } = this.#options;
    const outcome = await publishRound(this.#options);
    metrics.published.inc(outcome.published);
    for (const lag of outcome.lags) metrics.lag.observe(Math.max(0, lag));
    if (outcome.rebuilt) {
      metrics.rebuilds.inc();
      logger.info({ entries: outcome.published }, 'rebuilt the projection');
    }
    this.#problem = undefined;
    const moreEvents = await this.#events.moveToInbox(outcome.events);
    return outcome.more || moreEvents;
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      this.#pause = new AbortController();
      try {
        if (await this.#hasWork()) await this.flush();
      } catch (error) {
        this.#noteProblem(error);
      }
      await this.#events.dropOld();
      const pauseMs = pollMs * (0.8 + Math.random() * 0.4);
      // Woken early it rejects, which is as good.
      await sleep(pauseMs, undefined, { signal: this.#pause.signal }).catch(() => undefined);
    }
  }

  async #hasWork(): Promise<boolean> {
    const { postgres, projection, metrics } = this.#options;
    // Without an answer it fails below, after what waits was measured.
    const before = await projection.marker().catch(() => undefined);
    // First what waits: it can only become what is published.
    const backlog = await readBacklog(postgres);
    const [installation, hasEvents] = await Promise.all([
      readInstallation(postgres),
      hasStoredEvents(postgres),
    ]);
    metrics.backlogEntries.set(backlog.entries);
    metrics.backlogAge.set(backlog.ageSeconds);
    const after = await projection.marker();
    const whole = looksWhole({ before, after }, installation, backlog.entries);
    if (whole) this.#problem = undefined;
    else this.#problem = 'the projection in Redis is being rebuilt';
    return !whole || backlog.entries > 0 || hasEvents;
  }

  #noteProblem(error: unknown): void {
    const problem = error instanceof AppError ? error.message : 'publication failed';
    if (problem !== this.#problem) this.#options.logger.warn({ err: error }, 'publication is held up');
    this.#problem = problem;
  }
}

/** Redis was emptied in the middle of a round, or another process took the lock: the next round reads the state anew. */
async function retryWhenFenced<T>(round: () => Promise<T>): Promise<T> {
  for (let lost = 1; ; lost += 1) {
    try {
      return await round();
    } catch (error) {
      if (!(error instanceof FencedPublisher) || lost >= maxFencedInARow) throw error;
    }
  }
}
