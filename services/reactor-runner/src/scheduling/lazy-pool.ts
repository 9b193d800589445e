import type { UserCodeFiles } from '../node16/library/user-code-files.ts';
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

  /** Does nothing before the first use. */
  renew(files: UserCodeFiles): void {
    this.#pool?.renew(files);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.[Symbol.asyncDispose]();
  }
}
