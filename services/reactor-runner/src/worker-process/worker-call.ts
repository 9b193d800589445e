import type { EgressReport } from '../worker-protocol/code-reach.ts';
import type { VersionedCode } from './code-table.ts';
import type { CallLifetime } from './worker-calls.ts';

/** One run of code in a worker process. */
export interface WorkerCall extends VersionedCode {
  /** JSON text. */
  readonly argument: Buffer;
  readonly lifetime: CallLifetime;
  /** Receives the hosts that the code tries to reach outside of its reach. */
  readonly onEgress?: ((report: EgressReport) => void) | undefined;
  /** Whether the memory of its isolate is measured at the end. */
  readonly isMeasured?: boolean;
}
