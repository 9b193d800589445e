import type { UserIsolate } from './user-isolate.ts';

/** The worker counts as quiet after this time without a call. */
const quietMs = 20;
/** For packages ahead, in one quiet time: far less than a worker may use for nothing (worker-process/process-usage.ts). */
const aheadMs = 800;
/** For one attempt: a call that comes now waits for its end. */
const attemptMs = 400;

export interface SpareIsolateOptions {
  readonly create: () => UserIsolate;
  /** What new code is likely to require. */
  readonly packages: () => readonly string[];
  /** Whether no call is under way, which would wait meanwhile. */
  readonly isQuiet: () => boolean;
  /** Done in each quiet time, before an isolate is made. */
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

  /** Undefined when it has been taken and the next is not made yet. */
  take(): UserIsolate | undefined {
    const isolate = this.#isolate;
    this.#isolate = undefined;
    return isolate;
  }

  /** Postpones the next isolate until the worker has been quiet for a while. */
  notBefore(): void {
    if (this.#isolate === undefined) this.#timer.refresh();
  }

  /** Makes one now unless there is one. */
  prepare(): void {
    if (this.#isolate !== undefined) return;
    const endsAt = performance.now() + aheadMs;
    const wanted = this.#options.packages().filter((name) => this.#fits.get(name) !== false);
    const fitting = wanted.filter((name) => this.#fits.has(name));
    const unknown = wanted.find((name) => !this.#fits.has(name));
    const tried = unknown === undefined ? undefined : this.#prepared([...fitting, unknown], true, endsAt);
    if (unknown !== undefined) this.#fits.set(unknown, tried !== undefined);
    this.#isolate = tried ?? this.#prepared(fitting, false, endsAt) ?? this.#prepared([], false, endsAt);
  }

  #useQuiet(): void {
    if (!this.#options.isQuiet()) return;
    this.#options.beforehand();
    this.prepare();
    if (this.#isolate?.keepCompiled() !== false) return;
    this.take()?.dispose();
    this.prepare();
  }

  #prepared(packages: readonly string[], isTrial: boolean, endsAt: number): UserIsolate | undefined {
    const isolate = this.create();
    try {
      isolate.prepare();
      const leftMs = Math.min(attemptMs, Math.trunc(endsAt - performance.now()));
      if (packages.length === 0) return isolate;
      if (leftMs > 0 && isolate.preparePackages(packages, isTrial, leftMs)) return isolate;
    } catch {
      // It has no room for them, or one cannot be evaluated, or takes too long.
    }
    isolate.dispose();
    return undefined;
  }
}
