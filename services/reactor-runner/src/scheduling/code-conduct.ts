/** Where code may run: beside other code, nowhere for the moment, or alone. */
export type Lane = 'shared' | 'paused' | 'apart';

/**
 * How long code that has cost a worker runs alone. An offence takes two seconds of one core by default and a new process,
 * so one code takes at most a thirtieth of a core from the workers that it shares. Corrected code is another version,
 * which starts without a record.
 */
export const quarantineMs = 60_000;

interface Record {
  /** By performance.now(). */
  readonly until: number;
  /** It has cost a worker; else it was only long. */
  readonly isOffender: boolean;
}

/** What is remembered of one tenant's code, by its version (docs/adr/0049). Code that shares workers well is unknown here. */
export class CodeConduct {
  readonly #apart = new Map<string, Record>();
  /** Which code keeps a worker from its other calls now. */
  readonly #holding = new Map<object, string>();

  laneOf(code: string): Lane {
    if (this.#apart.size > 0 && this.#apart.has(code)) return 'apart';
    if (this.#holding.size > 0 && [...this.#holding.values()].includes(code)) return 'paused';
    return 'shared';
  }

  /** Whether anything is remembered. */
  get isKnown(): boolean {
    return this.#apart.size > 0;
  }

  /** Codes that run alone because they have cost a worker. */
  get quarantined(): number {
    return [...this.#apart.values()].filter(({ isOffender }) => isOffender).length;
  }

  isOffender(code: string): boolean {
    return this.#apart.get(code)?.isOffender === true;
  }

  /** The code keeps a worker busy: its other runs wait, so that they do not take the next worker too. */
  holds(worker: object, code: string): void {
    this.#holding.set(worker, code);
  }

  goesOn(worker: object): void {
    if (this.#holding.size > 0) this.#holding.delete(worker);
  }

  /** The code has cost a worker. */
  offends(code: string): void {
    this.#apart.set(code, { until: performance.now() + quarantineMs, isOffender: true });
  }

  /** The code is not to run beside others, since it was long, or is one of those that may have ended a process. */
  isDoubtful(code: string): void {
    if (!this.isOffender(code))
      this.#apart.set(code, { until: performance.now() + quarantineMs, isOffender: false });
  }

  /** The code has run alone, and was brisk. What has cost a worker stays alone for its time. */
  behaves(code: string): void {
    if (!this.isOffender(code)) this.#apart.delete(code);
  }

  /** @param now by performance.now() */
  sweep(now: number): void {
    for (const [code, { until }] of this.#apart) if (until <= now) this.#apart.delete(code);
  }
}
