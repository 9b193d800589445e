import type { Logger } from '@glovebox/platform/logger';
import { Counter, type Registry } from '@glovebox/platform/metrics';

import type { Outcome } from '../sandbox/outcome.ts';
import { invocationText } from './invocation-text.ts';
import { type EndedRun, type Invocation, invocationOf } from './invocation.ts';
import type { Sealing } from './sealing.ts';
import type { InvocationStore } from './store.ts';

export interface JournalOptions {
  readonly sealing: Sealing;
  readonly store: InvocationStore;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** What waits is written so often. Also the pace at which the vault and Redis are asked, whatever runs. */
const intervalMs = 200;
/** Bounds of what waits: beyond the first the oldest of the owner goes, beyond the others the newest is not taken. */
const maxOfOwner = 20;
const maxWaiting = 1000;
const maxBytes = 4 * 1024 * 1024;

/**
 * Keeps what invocations have to tell, sealed. It never delays an answer and never fails: what the vault or Redis does
 * not take is dropped and counted.
 */
export class Journal implements AsyncDisposable {
  readonly #options: JournalOptions;
  readonly #counter: Counter;
  #waiting = new Map<string, Invocation[]>();
  #count = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#counter = new Counter({
      name: 'glovebox_runner_journal_invocations_total',
      help: 'Invocations with something to tell, by what became of that.',
      labelNames: ['result'],
      registers: [options.metrics],
    });
  }

  /** @param log as the worker sent it. */
  record(run: EndedRun, outcome: Outcome, seconds: number, log: Buffer | undefined): void {
    const invocation = invocationOf(run, outcome, seconds, log);
    if (invocation === undefined) return;
    const ofOwner = this.#waiting.get(invocation.owner.id) ?? [];
    if (ofOwner.length === maxOfOwner) this.#drop(ofOwner.shift() as Invocation);
    const bytes = bytesOf(invocation);
    if (this.#closed || this.#count === maxWaiting || this.#bytes + bytes > maxBytes) {
      this.#counter.inc({ result: 'overflow' });
      return;
    }
    ofOwner.push(invocation);
    this.#waiting.set(invocation.owner.id, ofOwner);
    this.#count += 1;
    this.#bytes += bytes;
    this.#timer ??= setTimeout(() => this.#write(), intervalMs);
  }

  /** Writes what waits. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
  }

  #drop(invocation: Invocation): void {
    this.#count -= 1;
    this.#bytes -= bytesOf(invocation);
    this.#counter.inc({ result: 'overflow' });
  }

  #write(): void {
    const before = this.#writing;
    this.#writing = before.then(async () => {
      const invocations = [...this.#waiting.values()].flat();
      this.#waiting = new Map();
      this.#count = this.#bytes = 0;
      this.#timer = undefined;
      if (invocations.length > 0) await this.#keep(invocations);
    });
  }

  async #keep(invocations: readonly Invocation[]): Promise<void> {
    const { sealing, store, logger } = this.#options;
    const count = invocations.length;
    let step: 'unsealed' | 'unstored' = 'unsealed';
    try {
      const sealed = await sealing.seal(
        invocations.map((invocation) => ({
          place: { tenantId: invocation.tenantId, ownerId: invocation.owner.id, id: invocation.id },
          text: invocationText(invocation),
        })),
      );
      step = 'unstored';
      await store.add(
        invocations.map(({ id, owner, startedAt }, at) => ({
          id,
          ownerId: owner.id,
          startedAt,
          sealed: sealed[at] as Buffer,
        })),
      );
      this.#counter.inc({ result: 'kept' }, count);
    } catch (err) {
      this.#counter.inc({ result: step }, count);
      logger.warn({ err, count }, 'what invocations logged was lost');
    }
  }
}

const fixedBytes = 1000;

function bytesOf({ outcome, log }: Invocation): number {
  return fixedBytes + log.length + (outcome.kind === 'threw' ? outcome.thrown.length : 0);
}
