import type { CallHost } from './bridge.ts';
import type { LoadModule, UserProcess } from './node-internals.ts';
import type { HostJobs } from './node/host-jobs.ts';

/** What the bindings are made with. */
export interface Scope {
  readonly call: CallHost;
  readonly jobs: HostJobs;
  readonly load: LoadModule;
  /** The `process` that user code sees. */
  readonly process: UserProcess;
  /** Asks for a call of the entry's `tick` in so many milliseconds; 0: as soon as other work of the process is done. */
  readonly arm: (delayMs: number) => void;
}
