/** Where the time of a request goes; `own` is what is left. */
export type Stage = 'auth' | 'receive' | 'vault' | 'transform' | 'reactor' | 'destination' | 'own';

const order: readonly Stage[] = ['auth', 'receive', 'vault', 'transform', 'reactor', 'destination', 'own'];

/** The stages that one request goes through, one at a time, any of them several times. */
export class Stages {
  readonly #clock: () => number;
  readonly #spent: Partial<Record<Stage, number>> = { own: 0 };
  #since: number;
  #current: Stage = 'auth';

  /** @param clock milliseconds, never going back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#since = clock();
  }

  /** Ends the stage before, and says which one that was. */
  enter(stage: Stage): Stage {
    const now = this.#clock();
    const before = this.#current;
    this.#spent[before] = (this.#spent[before] ?? 0) + now - this.#since;
    this.#since = now;
    this.#current = stage;
    return before;
  }

  /** In milliseconds, until now. */
  spent(stage: Stage): number {
    const ended = this.#spent[stage] ?? 0;
    return stage === this.#current ? ended + this.#clock() - this.#since : ended;
  }

  /** Milliseconds of all that was entered, to a hundredth. */
  all(): Readonly<Partial<Record<Stage, number>>> {
    const spent = order.filter((stage) => this.#spent[stage] !== undefined || stage === this.#current);
    return Object.fromEntries(spent.map((stage) => [stage, Math.round(this.spent(stage) * 100) / 100]));
  }

  /** As the header Server-Timing says it (W3C Server Timing), of all that was entered. */
  toString(): string {
    this.enter('own');
    const spent = order.filter((stage) => this.#spent[stage] !== undefined);
    return spent.map((stage) => `${stage};dur=${(this.#spent[stage] ?? 0).toFixed(2)}`).join(', ');
  }
}
