import type { MaybePromise } from './maybe-promise.ts';

/** Work of this long is done in one iteration of the event loop; then input and output get their turn. */
const iterationMs = 2;

/** In milliseconds. A group that had the event loop for itself for so long need not wait for turns. */
const sharedForMs = 1000;

interface Group {
  /** The virtual time at which its next piece of work may begin: what it has used, in milliseconds. */
  start: number;
  readonly waiting: { readonly since: number; readonly run: () => void }[];
}

/**
 * Shares the event loop among groups of callers, such as tenants (start-time fair queueing). While there is little to
 * do, work runs at once. Otherwise the group that has used the least time is next, so that one that asks for little
 * waits for one piece of another's work at most.
 */
export class FairTurns {
  readonly #now: () => number;
  readonly #schedule: (next: () => void) => void;
  readonly #groups = new Map<string, Group>();
  #waiting = 0;
  /** The virtual time: the start of the work that ran last. */
  #clock = 0;
  /** Milliseconds of work in this iteration. */
  #spent = 0;
  #isScheduled = false;
  /** The group that asked last, and when another than the one before it did. */
  #latest: string | undefined;
  #changedAt = 0;
  #isShared = false;

  /** @param schedule runs a function in the next iteration of the event loop */
  constructor(now = () => performance.now(), schedule: (next: () => void) => void = setImmediate) {
    this.#now = now;
    this.#schedule = schedule;
  }

  /**
   * Runs a short piece of work when it is the turn of its group, at once if there is room.
   * @throws what the work throws: synchronously if it ran at once
   */
  run<T>(name: string, work: () => T): MaybePromise<T> {
    const group = this.#groupOf(name);
    if (this.#mayRun(group)) return this.#measure(group, work);
    return this.#wait(group, () => this.#measure(group, work));
  }

  /**
   * Waits for the group's turn to go on with something that takes about so long. While no other group asks, there are
   * no turns: waiting would cost time for no benefit.
   * @returns undefined: it may go on at once
   */
  take(name: string, ms: number): Promise<void> | undefined {
    const group = this.#groupOf(name);
    if (!this.#mayRun(group) && !this.#isAlone()) return this.#wait(group, () => this.#charge(group, ms));
    this.#charge(group, ms);
    return undefined;
  }

  /** Runs a piece of work after the other, each in a turn of its own, until one returns false. */
  async pieces(name: string, piece: () => boolean): Promise<void> {
    while (await this.run(name, piece));
  }

  /** How long the oldest work of a group has waited, in milliseconds. */
  waitOf(name: string): number {
    const oldest = this.#groups.get(name)?.waiting[0];
    return oldest === undefined ? 0 : this.#now() - oldest.since;
  }

  /** Maps a list, each item in a turn of its own. */
  async map<T, U>(name: string, items: readonly T[], work: (item: T) => U): Promise<U[]> {
    const mapped: U[] = [];
    for (const item of items) {
      const made = this.run(name, () => work(item));
      mapped.push(made instanceof Promise ? await made : made);
    }
    return mapped;
  }

  #groupOf(name: string): Group {
    if (name !== this.#latest) this.#noteChange(name);
    let group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, (group = { start: 0, waiting: [] }));
    return group;
  }

  #noteChange(name: string): void {
    if (this.#latest !== undefined) {
      this.#isShared = true;
      this.#changedAt = this.#now();
    }
    this.#latest = name;
  }

  #isAlone(): boolean {
    return !this.#isShared && this.#waiting === 0;
  }

  #mayRun(group: Group): boolean {
    return this.#spent < iterationMs && group.waiting.length === 0 && this.#waiting === 0;
  }

  #measure<T>(group: Group, work: () => T): T {
    const since = this.#now();
    try {
      return work();
    } finally {
      this.#charge(group, this.#now() - since);
    }
  }

  #charge(group: Group, ms: number): void {
    // Time that a group did not use before is not kept for it.
    this.#clock = Math.max(this.#clock, group.start);
    group.start = this.#clock + ms;
    this.#spent += ms;
    this.#scheduleNext();
  }

  #wait<T>(group: Group, work: () => T): Promise<T> {
    if (group.waiting.length === 0) group.start = Math.max(group.start, this.#clock);
    this.#waiting += 1;
    this.#scheduleNext();
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      };
      group.waiting.push({ since: this.#now(), run });
    });
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(this.#iterate);
  }

  readonly #iterate = (): void => {
    this.#isScheduled = false;
    this.#spent = 0;
    if (this.#isShared) this.#isShared = this.#now() - this.#changedAt < sharedForMs;
    if (this.#waiting === 0) {
      // Every tenant has got what it asked for: none is behind.
      this.#groups.clear();
      this.#clock = 0;
      return;
    }
    while (this.#waiting > 0 && this.#spent < iterationMs) this.#next();
    this.#scheduleNext();
  };

  #next(): void {
    let next: Group | undefined;
    for (const group of this.#groups.values()) {
      if (group.waiting.length > 0 && (next === undefined || group.start < next.start)) next = group;
    }
    this.#waiting -= 1;
    next?.waiting.shift()?.run();
  }
}
