import type { Context } from '@glovebox/platform/tracing';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { VaultCaller } from '@glovebox/vault-client/vault-client';

import type { Caller } from '../pool/worker-process.ts';

/** Who has a reactor run, and within what. */
export interface Invoker {
  /** Exactly as it was presented. */
  readonly apiKey: string;
  readonly correlationId: string;
  /** Undefined unless the trace is recorded. */
  readonly trace: Context | undefined;
  readonly caller: Caller;
}

/** The vault is asked as the one whose permissions count: the invoker, or the reactor's application. */
export function vaultCaller(
  { trace, correlationId, caller }: Invoker,
  credential: string | Delegation,
): VaultCaller {
  return { credential, trace, correlationId, signal: caller.signal };
}
