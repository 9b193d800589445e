import type { UserIsolate } from './isolate.ts';

/** For so long nothing has to happen in the worker before it uses the time. */
const quietMs = 20;

/**
 * One isolate that is made ahead of time, with the whole environment in it, for code that the worker has not seen yet.
 * It is made while the worker has nothing to do, so that no call waits for it.
 */
export class SpareIsolate {
  /** Makes one for at once, without what can be done later. */
  readonly create: () => UserIsolate;
  #isolate: UserIsolate | undefined;
  readonly #timer: NodeJS.Timeout;

  /** Makes the first at once. */
  constructor(create: () => UserIsolate) {
    this.create = create;
    this.#prepare();
    this.#timer = setTimeout(() => this.#prepare(), quietMs);
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

  #prepare(): void {
    if (this.#isolate !== undefined) return;
    const isolate = this.create();
    isolate.prepare();
    this.#isolate = isolate;
  }
}
