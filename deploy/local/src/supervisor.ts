import type { NamedProcess } from './dev-file.ts';
import { type KeptRunning, type Running, keepRunning } from './keep-running.ts';
import type { Progress } from './progress.ts';
import { removeJournal, writeJournal } from './run-journal.ts';
import type { System } from './service-env.ts';

/** Owns all processes: restarts them, keeps the journal, and in the end stops the last started first. */
export class Supervisor implements AsyncDisposable {
  readonly #stateDir: string;
  readonly #progress: Progress;
  readonly #kept: KeptRunning[] = [];
  #system: System | undefined;

  constructor(stateDir: string, progress: Progress) {
    this.#stateDir = stateDir;
    this.#progress = progress;
  }

  /** Starts a part of the system and keeps it running. Throws when its first start fails. */
  async keep(name: string, start: () => Promise<Running>): Promise<void> {
    const kept = await keepRunning({
      name,
      start,
      onEnded: (_, exit) => {
        this.#progress.problem(`${name} ended (${exit.signal ?? `exit ${exit.code}`}), starting it again`);
      },
      onStarted: (_, pid) => {
        if (this.#kept.some((other) => other.name === name))
          this.#progress.note(`${name} runs again (pid ${pid})`);
        this.#writeJournal(pid);
      },
      onFailed: (_, error) => {
        this.#progress.problem(
          `${name} can't be started: ${error instanceof Error ? error.message : String(error)}`,
        );
      },
    });
    this.#kept.push(kept);
  }

  /** Publishes the system to the tools beside this process. */
  publish(system: System): void {
    this.#system = system;
    this.#writeJournal();
  }

  /** The running processes. */
  processes(): NamedProcess[] {
    return this.#kept.flatMap((kept) => {
      const pid = kept.pid();
      return pid === undefined ? [] : [{ name: kept.name, pid }];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const kept of this.#kept.toReversed()) await kept[Symbol.asyncDispose]();
    removeJournal(this.#stateDir);
  }

  #writeJournal(...more: number[]): void {
    const pids = this.processes().map(({ pid }) => pid);
    writeJournal(this.#stateDir, [...new Set([...pids, ...more])], this.#system);
  }
}
