/**
 * The processor time of one isolate's invocations, each of which has a limit of it. The first turn of an invocation counts
 * for nothing here, so that code that never waits pays nothing: the runner ends a turn that is too long by itself
 * (scheduling/stall-watch.ts). isolated-vm's own `cpuTime` is no help: in its builds for Linux it is wall time.
 */
export class CpuAccount {
  readonly #limitMs: number;
  #usedMs = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  begin(): void {
    this.#usedMs = 0;
  }

  /** What the invocation may use yet. */
  get leftMs(): number {
    return this.#limitMs - this.#usedMs;
  }

  /** Counts one more turn of the invocation. */
  charge<Result>(turn: () => Result): Result {
    const before = process.threadCpuUsage();
    const result = turn();
    const { user, system } = process.threadCpuUsage(before);
    this.#usedMs += (user + system) / 1000;
    return result;
  }
}
