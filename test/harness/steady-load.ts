import { setTimeout as pause } from 'node:timers/promises';

import { until } from './until.ts';

/** Does something once, and says what was wrong with it by a text that it gives, or by what it throws. */
type Kind = () => Promise<unknown>;

/** Requests that go on and on, of all kinds in turn, until it is ended. */
export class SteadyLoad {
  readonly #kinds: readonly [string, Kind][];
  readonly #callers: Promise<void>[];
  readonly #times = new Map<string, number>();
  #ended = false;
  #sent = 0;
  /** Those that were not answered as they should have been. */
  readonly failures: string[] = [];

  /** @param pauseMs between two requests of a caller */
  constructor(
    { kinds }: { readonly kinds: Readonly<Record<string, Kind>> },
    { callers, pauseMs }: { readonly callers: number; readonly pauseMs: number },
  ) {
    this.#kinds = Object.entries(kinds);
    this.#callers = Array.from({ length: callers }, (_, at) => this.#call(at, pauseMs));
  }

  /** Requests that were answered. */
  get sent(): number {
    return this.#sent;
  }

  /** Resolves when each kind has been sent so many more times. */
  async goesOn(times: number): Promise<void> {
    const before = new Map(this.#times);
    const more = (name: string) => (this.#times.get(name) ?? 0) - (before.get(name) ?? 0);
    await until('the load goes on', () => this.#kinds.every(([name]) => more(name) >= times), 60_000);
  }

  /** Lets every request end that is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#callers);
  }

  async #call(first: number, pauseMs: number): Promise<void> {
    for (let turn = first; !this.#ended; turn += 1) {
      const [name, send] = this.#kinds[turn % this.#kinds.length]!;
      const problem = await send().catch(describe);
      this.#sent += 1;
      this.#times.set(name, (this.#times.get(name) ?? 0) + 1);
      if (typeof problem === 'string') this.failures.push(`${name}: ${problem}`);
      await pause(pauseMs);
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error) || error.cause === undefined) return String(error);
  return `${String(error)} (${describe(error.cause)})`;
}
