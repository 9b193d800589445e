import { Semaphore } from './semaphore.ts';

/** Runs some tasks at once, but only so many of each group, so that a busy group waits for itself. */
export class FairGate {
  readonly #all: Semaphore;
  readonly #perGroup: number;
  readonly #groups = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  constructor(limit: number, perGroup = 1) {
    this.#all = new Semaphore(limit);
    this.#perGroup = perGroup;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const group = this.#groups.get(name) ?? { semaphore: new Semaphore(this.#perGroup), users: 0 };
    this.#groups.set(name, group);
    group.users += 1;
    try {
      return await group.semaphore.run(() => this.#all.run(work));
    } finally {
      group.users -= 1;
      if (group.users === 0) this.#groups.delete(name);
    }
  }
}
