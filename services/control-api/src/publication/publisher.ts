import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { ROOT_CONTEXT, context } from '@glovebox/platform/telemetry/tracing';
import { hasStoredEvents } from '@glovebox/published/event-outbox';

import { EventHandOver, type EventHandOverOptions } from './event-hand-over.ts';
import type { PublisherMetrics } from './metrics.ts';
import { readBacklog, readInstallation } from './outbox.ts';
import { FencedPublisher } from './projection.ts';
import { type RoundDependencies, isDue, looksWhole, publishRound } from './publish-round.ts';
import type { Rebuilt } from './rebuild.ts';
import { SignatureRenewal } from './signature-renewal.ts';

export interface PublisherOptions extends RoundDependencies, Pick<EventHandOverOptions, 'inbox'> {
  readonly logger: Logger;
  readonly metrics: PublisherMetrics;
}

const pollMs = 500;
const maxFencedInARow = 5;

/** Publishes the outbox to Redis, moves events to their inbox, and rebuilds Redis when it lost records. */
export class Publisher implements AsyncDisposable {
  readonly #options: PublisherOptions;
  readonly #events: EventHandOver;
  readonly #signatureRenewal: SignatureRenewal;
  #stopping = false;
  #pause = new AbortController();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #loop: Promise<void> = Promise.resolve();
  #problem: string | undefined = 'not checked yet';

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#events = new EventHandOver({ ...options, metrics: options.metrics.events });
    this.#signatureRenewal = new SignatureRenewal(options);
  }

  /** Watches the outbox and the projection for changes that no request waits for. */
  start(): void {
    this.#loop = context.with(ROOT_CONTEXT, () => this.#watch());
  }

  /** Ends the pause, e.g. because Redis is back. */
  wake(): void {
    this.#pause.abort();
  }

  /** Why the projection is not reliable; undefined when it is. */
  problem(): string | undefined {
    return this.#problem;
  }

  /** Resolves when everything that was committed before this call is published. Callers share runs. */
  flush(): Promise<void> {
    if (this.#running === undefined) return this.#run();
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#run());
    return this.#next;
  }

  /** Rebuilds the projection from the database, even if it is whole. */
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
    await this.#signatureRenewal[Symbol.asyncDispose]();
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
    const outcome = await publishRound(this.#options, await this.#signatureRenewal.isKeyNew());
    this.#signatureRenewal.markWhole();
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
        await this.#signatureRenewal.renewWithoutDatabase();
      }
      await this.#events.dropOld();
      const pauseMs = pollMs * (0.8 + Math.random() * 0.4);
      // `wake` aborts the pause, which rejects it.
      await sleep(pauseMs, undefined, { signal: this.#pause.signal }).catch(() => undefined);
    }
  }

  async #hasWork(): Promise<boolean> {
    const { postgres, projection, metrics } = this.#options;
    // Without an answer the next read of the marker fails, after the backlog is measured.
    const before = await projection.marker().catch(() => undefined);
    // The backlog is read first, because waiting entries can only become published ones.
    const backlog = await readBacklog(postgres);
    const [installation, hasEvents] = await Promise.all([
      readInstallation(postgres),
      hasStoredEvents(postgres),
    ]);
    metrics.backlogEntries.set(backlog.entries);
    metrics.backlogAge.set(backlog.ageSeconds);
    const after = await projection.marker();
    const whole = looksWhole({ before, after }, installation, backlog.entries);
    this.#problem = whole ? undefined : 'the projection in Redis is being rebuilt';
    if (!whole || after === undefined) return true;
    this.#signatureRenewal.signAnewWhenDue(after);
    return backlog.entries > 0 || hasEvents || isDue(after);
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
