import type { CallHost } from './bridge.ts';
import type { HostJobs } from './node/host-jobs.ts';

/** What the bindings are made with. */
export interface Scope {
  readonly call: CallHost;
  readonly jobs: HostJobs;
  /** A module of Node's own library, by its name there. */
  readonly load: (name: string) => Record<string, unknown>;
  /** The `process` that user code sees. */
  readonly process: Record<string, unknown>;
  /** Asks for a call of the entry's `tick` in so many milliseconds; 0: as soon as other work of the process is done. */
  readonly arm: (delayMs: number) => void;
}
