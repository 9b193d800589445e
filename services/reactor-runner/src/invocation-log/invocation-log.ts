import type { Logger } from '@glovebox/platform/telemetry/logger';
import { Counter, type MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import type { Outcome } from '../worker-protocol/outcome.ts';
import { Backlog } from './backlog.ts';
import { invocationText } from './invocation-text.ts';
import { type EndedRun, type LoggedInvocation, invocationOf } from './invocation.ts';
import type { LogSealing } from './log-sealing.ts';
import type { InvocationStore } from './store.ts';

export interface InvocationLogOptions {
  readonly sealing: LogSealing;
  readonly store: InvocationStore;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

/** The pause between writes, and so the rate of calls of the vault and Redis, whatever the load. */
const intervalMs = 200;

/**
 * Stores what code logged and how it failed, sealed. It never delays an answer and never fails: what the vault or Redis
 * does not take is dropped and counted.
 */
export class InvocationLog implements AsyncDisposable {
  readonly #options: InvocationLogOptions;
  readonly #counter: Counter;
  readonly #backlog = new Backlog();
  #lastEnd = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: InvocationLogOptions) {
    this.#options = options;
    this.#counter = new Counter({
      name: 'glovebox_runner_journal_invocations_total',
      help: 'Invocations with something to log, by result.',
      labelNames: ['result'],
      registers: [options.metrics],
    });
  }

  /** @param log as the worker sent it */
  record(run: EndedRun, outcome: Outcome, seconds: number, log: Buffer | undefined): void {
    // Invocations that end within one millisecond keep their order.
    const endedAt = Math.max(Date.now(), this.#lastEnd + 0.001);
    const invocation = invocationOf(run, outcome, endedAt, seconds, log);
    if (invocation === undefined) return;
    this.#lastEnd = endedAt;
    const dropped = this.#closed ? 1 : this.#backlog.add(invocation);
    if (dropped > 0) this.#counter.inc({ result: 'overflow' }, dropped);
    if (!this.#closed) this.#timer ??= setTimeout(() => this.#write(), intervalMs);
  }

  /** Writes the backlog. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
  }

  /** One write at a time, so that a slow vault gets no further calls. */
  #write(): void {
    const before = this.#writing;
    this.#writing = before.then(async () => {
      this.#timer = undefined;
      const invocations = this.#backlog.take();
      if (invocations.length > 0) await this.#store(invocations);
    });
  }

  async #store(invocations: readonly LoggedInvocation[]): Promise<void> {
    const { sealing, store, logger } = this.#options;
    const count = invocations.length;
    let result = 'unsealed';
    try {
      const sealed = await sealing.seal(
        invocations.map((invocation) => ({
          place: { tenantId: invocation.tenantId, ownerId: invocation.owner.id, id: invocation.id },
          text: invocationText(invocation),
        })),
      );
      result = 'unstored';
      await store.add(
        invocations.map(({ id, owner, endedAt }, at) => ({
          id,
          ownerId: owner.id,
          endedAt,
          sealed: sealed[at] ?? Buffer.alloc(0),
        })),
      );
      result = 'kept';
    } catch (err) {
      logger.warn({ err, count }, 'logs of invocations were lost');
    }
    this.#counter.inc({ result }, count);
  }
}
