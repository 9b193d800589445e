import type { CodeReach, EgressReport } from './code-reach.ts';
import type { Moved, Outcome } from './outcome.ts';

/**
 * The messages between the runner and a worker process. Code crosses once per worker, and calls name it by its id. A
 * worker handles messages in the order of their arrival.
 */
export type ToWorker =
  | { readonly type: 'load'; readonly codeId: number; readonly code: string }
  /** What the further calls of this code may reach. Without it they reach what the operator allows. */
  | { readonly type: 'reach'; readonly codeId: number; readonly reach: CodeReach }
  /** No further call names this code. */
  | { readonly type: 'forget'; readonly codeId: number }
  | {
      readonly type: 'run';
      readonly callId: number;
      readonly codeId: number;
      /** Wall time from its start to its end. */
      readonly timeoutMs: number;
      /** Whether the code gets `bt`. */
      readonly hasBt: boolean;
      /** Whether `settled` reports the memory of the isolate. */
      readonly isMeasured: boolean;
      /** JSON text. */
      readonly argument: Buffer;
    }
  /**
   * A call that is settled as `returned` when the code parses and, within `loadMs`, loads as a module that exports a
   * function. With `loadMs` 0 none of it runs.
   */
  | { readonly type: 'compile'; readonly callId: number; readonly loadMs: number; readonly code: string }
  /** Calls may begin again: all that the worker has been held back from were sent before (control.ts). */
  | { readonly type: 'proceed' }
  /** Ends a suspended call. */
  | { readonly type: 'cancel'; readonly callId: number }
  /** The response to a `btRequest`, in the form of bt/bt-request.ts. */
  | {
      readonly type: 'btResponse';
      readonly callId: number;
      readonly requestId: number;
      readonly response: Buffer;
    };

/** @template Result outcome.ts. */
export type FromWorker<Result = Buffer> =
  | { readonly type: 'ready' }
  /** Calls begin again. */
  | { readonly type: 'proceeding' }
  /** The call waits for something; the worker goes on with the next. */
  | { readonly type: 'suspended'; readonly callId: number }
  /**
   * The code of the call makes a request by `bt`. Only the runner knows as which application. The bytes are a line of
   * JSON and a body (sandbox/prelude/make-bt-requests.ts).
   */
  | {
      readonly type: 'btRequest';
      readonly callId: number;
      readonly requestId: number;
      readonly request: Buffer;
    }
  /** What the code has written to its log (sandbox/console-log.ts). Precedes `settled`, if there is any. */
  | { readonly type: 'logged'; readonly callId: number; readonly log: Buffer }
  /** The code of the call has tried to reach a host that its reach does not cover; once for each host. */
  | ({ readonly type: 'egress'; readonly callId: number } & EgressReport)
  | {
      readonly type: 'settled';
      readonly callId: number;
      /** Whole milliseconds from its start to its end; how long it was on its way does not count. */
      readonly tookMs: number;
      /** Memory that the isolate holds at the end, in KiB; 0: unknown, since it was not measured or is gone. */
      readonly heldKb: number;
      readonly outcome: Outcome<Result> | Moved;
    };

/** Limits of a call's requests by `bt`. The worker enforces them, and the runner checks that it does. */
export interface BtRequestLimits {
  /** That one call has under way. */
  readonly btRequestsAtOnce: number;
  readonly btRequestsPerCall: number;
}
