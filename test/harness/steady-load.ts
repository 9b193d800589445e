import { setTimeout as pause } from 'node:timers/promises';

import type { Traffic } from './topology-traffic.ts';

/** Requests that go on and on, of all kinds in turn, until it is ended. */
export class SteadyLoad {
  readonly #kinds: readonly [string, () => Promise<string | undefined>][];
  readonly #callers: Promise<void>[];
  #ended = false;
  #sent = 0;
  /** Those that were not answered as they should have been. */
  readonly failures: string[] = [];

  /** @param pauseMs between two requests of a caller */
  constructor({ kinds }: Traffic, { callers, pauseMs }: { callers: number; pauseMs: number }) {
    this.#kinds = Object.entries(kinds);
    this.#callers = Array.from({ length: callers }, (_, at) => this.#call(at, pauseMs));
  }

  /** Requests that were answered. */
  get sent(): number {
    return this.#sent;
  }

  /** Lets every request end that is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#callers);
  }

  async #call(first: number, pauseMs: number): Promise<void> {
    for (let turn = first; !this.#ended; turn += 1) {
      const [name, send] = this.#kinds[turn % this.#kinds.length]!;
      const problem = await send().catch((error: unknown) => String(error));
      this.#sent += 1;
      if (problem !== undefined) this.failures.push(`${name}: ${problem}`);
      await pause(pauseMs);
    }
  }
}
