import type { Context } from '@glovebox/platform/telemetry/tracing';
import type { RunNote } from '@glovebox/protos/runner/v1/runner';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { RolloutCounter } from '@glovebox/published/rollout-counter';
import type { VaultCaller, VaultClient } from '@glovebox/vault-client/vault-client';

import type { ReactorConfigurations } from '../configurations/reactor-configurations.ts';
import type { OnLeak } from '../deliveries/leak-event.ts';
import type { WebhookEmitter } from '../deliveries/webhook-emitter.ts';
import type { InvokingCode } from '../scheduling/tenant.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';
import type { DetokenizeContext } from './detokenize-args.ts';
import type { RunCodeContext } from './run-code.ts';
import type { ShadowContext } from './try-shadow.ts';

/** What the steps of an invocation need of the runner. */
export interface ReactContext extends RunCodeContext, DetokenizeContext, ShadowContext {
  readonly published: PublishedRecords;
  readonly vault: VaultClient;
  readonly limits: DetokenizeContext['limits'];
  readonly configurations: ReactorConfigurations;
  readonly events: Pick<WebhookEmitter, 'around' | 'emit'>;
  /** Counts what the versions of rollouts do. */
  readonly rollouts: Pick<RolloutCounter, 'note'>;
  /** Called for each result that holds a value of its invocation's arguments. */
  readonly onLeak: OnLeak;
}

/** Of the request at the edge. */
export interface Origin {
  readonly correlationId: string;
  /** Where it came from. */
  readonly clientAddress?: string | undefined;
  /** Undefined unless the trace is recorded. */
  readonly trace: Context | undefined;
  /** Filled when code has ended, for the edge, which keeps the outline; absent: the runner keeps it. */
  readonly note?: RunNote | undefined;
}

/** Who invokes a reactor, and within what. */
export interface Invoker extends Origin {
  /** The API key exactly as it was sent, or the proxy or reactor whose code invokes another reactor by `bt`. */
  readonly credential: string | Delegation;
  readonly lifetime: CallLifetime;
  /** How many runs of code wait for this invocation: 0 for one from outside. */
  readonly depth: number;
  /** The code that invokes it by `bt`, and gets the result; absent for an invocation from outside. */
  readonly invokedBy?: InvokingCode | undefined;
  /** Receives paths of the filter `json` in the arguments that select nothing; throwing ends the invocation. */
  readonly onUnselected?: (paths: readonly string[]) => void;
  /** Called right before the code can begin. */
  readonly onBegin?: () => void;
}

/** The caller of the vault whose permissions count: the invoker, or the reactor's application. */
export function vaultCaller(
  { trace, correlationId, clientAddress, lifetime, onUnselected }: Invoker,
  credential: string | Delegation,
): VaultCaller {
  return { credential, trace, correlationId, clientAddress, signal: lifetime.signal, onUnselected };
}
