import type { WorkerPool } from './worker-pool.ts';

/** A pool that is created on first use, since most runners never need it. */
export class LazyPool implements AsyncDisposable {
  readonly #create: () => WorkerPool;
  #pool: WorkerPool | undefined;

  constructor(create: () => WorkerPool) {
    this.#create = create;
  }

  get pool(): WorkerPool {
    return (this.#pool ??= this.#create());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.[Symbol.asyncDispose]();
  }
}
