import type { UserIsolate } from './isolate.ts';

/** For so long nothing has to happen in the worker before it uses the time. */
const quietMs = 20;

export interface SpareIsolateOptions {
  readonly create: () => UserIsolate;
  /** What new code is likely to require. */
  readonly packages: () => readonly string[];
  /** What else is to be done while there is nothing to do. */
  readonly beforehand: () => void;
}

/**
 * One isolate that is made ahead of time, with the whole environment in it, for code that the worker has not seen yet.
 * It is made while the worker has nothing to do, so that no call waits for it.
 */
export class SpareIsolate {
  /** Makes one for at once, without what can be done later. */
  readonly create: () => UserIsolate;
  readonly #options: SpareIsolateOptions;
  #isolate: UserIsolate | undefined;
  /** Whether a package can be evaluated ahead, of those that were tried: one at a time. */
  readonly #fits = new Map<string, boolean>();
  readonly #timer: NodeJS.Timeout;

  /** Makes the first at once. */
  constructor(options: SpareIsolateOptions) {
    this.#options = options;
    this.create = options.create;
    this.prepare();
    this.#timer = setTimeout(() => this.#useQuiet(), quietMs);
  }

  /** Undefined when it has been taken and nobody has had the time to make another. */
  take(): UserIsolate | undefined {
    const isolate = this.#isolate;
    this.#isolate = undefined;
    return isolate;
  }

  /** To be called whenever something has happened: makes another once that has been a while ago. */
  notBefore(): void {
    if (this.#isolate === undefined) this.#timer.refresh();
  }

  /** Makes one now unless there is one. */
  prepare(): void {
    if (this.#isolate !== undefined) return;
    const wanted = this.#options.packages().filter((name) => this.#fits.get(name) !== false);
    const fitting = wanted.filter((name) => this.#fits.has(name));
    const unknown = wanted.find((name) => !this.#fits.has(name));
    const tried = unknown === undefined ? undefined : this.#prepared([...fitting, unknown]);
    if (unknown !== undefined) this.#fits.set(unknown, tried !== undefined);
    this.#isolate = tried ?? this.#prepared(fitting) ?? this.#prepared([]);
  }

  #useQuiet(): void {
    this.#options.beforehand();
    this.prepare();
    this.#isolate?.keepCompiled();
  }

  #prepared(packages: readonly string[]): UserIsolate | undefined {
    const isolate = this.create();
    try {
      if (isolate.prepare(packages)) return isolate;
    } catch {
      // It has no room for them, or one cannot be evaluated.
    }
    isolate.dispose();
    return undefined;
  }
}
