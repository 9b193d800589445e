import { setTimeout as pause } from 'node:timers/promises';

import type { Logger } from '@glovebox/platform/telemetry/logger';

export interface LateLibraryOptions {
  /** Gives the file of the library. @throws Error that says what to do */
  readonly prepare: () => Promise<string>;
  /** Before the second attempt; each further one waits twice as long, up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  readonly logger: Logger;
}

/** The text of Node's library, which is fetched once, and again in the background until it is there. */
export class LateLibrary implements AsyncDisposable {
  readonly #options: LateLibraryOptions;
  readonly #stopping = new AbortController();
  #file: string | undefined;
  #note: string | undefined;
  #repeated: Promise<void> | undefined;

  constructor(options: LateLibraryOptions) {
    this.#options = options;
  }

  get file(): string | undefined {
    return this.#file;
  }

  /** Why it is not there, for operators; undefined when it is. */
  get note(): string | undefined {
    return this.#note;
  }

  /** Resolves after the first attempt. @param onLate called with the file if a later one succeeds */
  async start(onLate: (file: string) => void): Promise<void> {
    if ((await this.#attempt()) === undefined) this.#repeated = this.#repeat(onLate);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#repeated;
  }

  async #attempt(): Promise<string | undefined> {
    const { prepare, logger } = this.#options;
    try {
      this.#file = await prepare();
      this.#note = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const note = `${reason} Until it is there, code that calls require fails. It is tried again.`;
      if (note !== this.#note && !this.#stopping.signal.aborted) logger.warn({ err: error }, note);
      this.#note = note;
    }
    return this.#file;
  }

  async #repeat(onLate: (file: string) => void): Promise<void> {
    const { firstPauseMs = 5000, longestPauseMs = 300_000, logger } = this.#options;
    const { signal } = this.#stopping;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const file = await this.#attempt();
      if (file === undefined) continue;
      logger.info('the library for user code is there now');
      return onLate(file);
    }
  }
}
