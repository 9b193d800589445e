import { setTimeout as delay } from 'node:timers/promises';

import type { Exit } from './child.ts';

/** A part of the system that runs until it ends or is stopped. */
export interface Running {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
}

export interface KeepRunningOptions {
  readonly name: string;
  /** Starts it; called again each time it has ended. */
  readonly start: () => Promise<Running>;
  readonly onStarted?: (name: string, pid: number) => void;
  readonly onEnded?: (name: string, exit: Exit) => void;
  readonly onFailed?: (name: string, error: unknown) => void;
}

export interface KeptRunning extends AsyncDisposable {
  readonly name: string;
  /** The current process; undefined between its end and its next start. */
  pid(): number | undefined;
}

const firstPauseMs = 100;
const longestPauseMs = 3_000;
/** A process that ran this long did not fail at its start. */
const healthyAfterMs = 10_000;

/**
 * Starts a part of the system and restarts it whenever it ends, at once at first, then after growing pauses. Throws
 * when the first start fails.
 */
export async function keepRunning(options: KeepRunningOptions): Promise<KeptRunning> {
  const { name, start } = options;
  const stopping = new AbortController();
  let current: Running | undefined = await start();
  options.onStarted?.(name, current.pid);
  const loop = watch();
  return {
    name,
    pid: () => current?.pid,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await current?.stop();
      await loop;
    },
  };

  async function watch(): Promise<void> {
    let pause = firstPauseMs;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      if (current !== undefined) {
        const exit = await current.exited;
        current = undefined;
        if (stopping.signal.aborted) return;
        options.onEnded?.(name, exit);
      }
      pause = Date.now() - startedAt > healthyAfterMs ? firstPauseMs : Math.min(pause * 2, longestPauseMs);
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      await startAgain();
    }
  }

  async function startAgain(): Promise<void> {
    try {
      current = await start();
      if (stopping.signal.aborted) await current.stop();
      else options.onStarted?.(name, current.pid);
    } catch (error) {
      options.onFailed?.(name, error);
    }
  }
}
