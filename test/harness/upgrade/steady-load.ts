import { setTimeout as pause } from 'node:timers/promises';

import { until } from '../until.ts';

/** Something that a user does; it throws when anything about the answers is not as it should be. */
export type Deed = () => Promise<void>;

/** Does the same things over and over, several at once, until it is disposed; notes each that failed and goes on. */
export class SteadyLoad implements AsyncDisposable {
  readonly #failures: string[] = [];
  readonly #deeds: readonly (readonly [string, Deed])[];
  readonly #loops: readonly Promise<void>[];
  readonly #done: Record<string, number> = {};
  #ended = false;

  constructor(deeds: Readonly<Record<string, Deed>>, atOnce: number) {
    this.#deeds = Object.entries(deeds);
    for (const [name] of this.#deeds) this.#done[name] = 0;
    this.#loops = Array.from({ length: atOnce }, (_, index) => this.#loop(index));
  }

  /** What failed since it was asked last. */
  takeFailures(): string[] {
    return this.#failures.splice(0);
  }

  /** Resolves when each has been done so many more times. */
  async goesOn(times: number): Promise<void> {
    const before = { ...this.#done };
    await until('the load goes on', () =>
      this.#deeds.every(([name]) => this.#done[name]! >= before[name]! + times),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#loops);
  }

  async #loop(first: number): Promise<void> {
    for (let at = first; !this.#ended; at += 1) {
      const [name, deed] = this.#deeds[at % this.#deeds.length]!;
      try {
        await deed();
      } catch (error) {
        this.#failures.push(`${name}: ${error instanceof Error ? describe(error) : String(error)}`);
      }
      this.#done[name]! += 1;
      // Steady, and no more than that: what is started meanwhile needs the processors too.
      await pause(50);
    }
  }
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${describe(error.cause)})` : error.message;
}
