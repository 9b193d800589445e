import type { Context } from '@glovebox/platform/telemetry/tracing';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { Caller } from '../worker-process/worker-process.ts';

/** Who has a reactor run, and within what. */
export interface Invoker {
  /** The API key exactly as it was presented, or the proxy or reactor whose code invokes another one by `bt`. */
  readonly credential: string | Delegation;
  readonly correlationId: string;
  /** Undefined unless the trace is recorded. */
  readonly trace: Context | undefined;
  readonly caller: Caller;
  /** How many runs of code wait for this invocation: 0 for one from outside. */
  readonly depth: number;
  /** Told of paths of the filter `json` in the arguments that select nothing; what it throws ends the invocation. */
  readonly onUnselected?: (paths: readonly string[]) => void;
  /** Told right before the code can have begun. */
  readonly onBegin?: () => void;
}

/** The vault is asked as the one whose permissions count: the invoker, or the reactor's application. */
export function vaultCaller(
  { trace, correlationId, caller, onUnselected }: Invoker,
  credential: string | Delegation,
): VaultCaller {
  return { credential, trace, correlationId, signal: caller.signal, onUnselected };
}
