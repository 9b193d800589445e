import type { Outcome } from './outcome.ts';

/**
 * All that passes between the runner and a worker process, both ways. Code crosses once per worker, and calls
 * name it by its id; the worker works through its messages in the order of their arrival.
 */
export type ToWorker =
  | { readonly type: 'load'; readonly codeId: number; readonly code: string }
  /** No further call names this code. */
  | { readonly type: 'forget'; readonly codeId: number }
  | {
      readonly type: 'run';
      readonly callId: number;
      readonly codeId: number;
      /** Wall time from its start to its end. */
      readonly timeoutMs: number;
      /** Whether the code gets `bt`: the call may ask. */
      readonly hasBt: boolean;
      /** JSON text. */
      readonly argument: Buffer;
    }
  /**
   * A call that is settled as `returned` when the code parses and, within `loadMs`, loads as a module that exports a function. With 0
   * none of it runs.
   */
  | { readonly type: 'compile'; readonly callId: number; readonly loadMs: number; readonly code: string }
  /** Ends a suspended call. */
  | { readonly type: 'cancel'; readonly callId: number }
  /** The answer to an `ask`, as its text has it. */
  | { readonly type: 'told'; readonly callId: number; readonly askId: number; readonly answer: Buffer };

/** @template Result outcome.ts. */
export type FromWorker<Result = Buffer> =
  | { readonly type: 'ready' }
  /** The call waits for something; the worker goes on with the next. */
  | { readonly type: 'suspended'; readonly callId: number }
  /**
   * The code of the call wants something of the service, as the application that it belongs to; as which one, only the
   * runner says. The text is one of JSON, a line feed, and a body (sandbox/prelude/make-asks.ts).
   */
  | { readonly type: 'ask'; readonly callId: number; readonly askId: number; readonly request: Buffer }
  /** What the code has written to its log (sandbox/console-log.ts); comes before the call is settled, if there is any. */
  | { readonly type: 'logged'; readonly callId: number; readonly log: Buffer }
  | {
      readonly type: 'settled';
      readonly callId: number;
      /** Whole milliseconds from its start to its end; how long it was on its way does not count. */
      readonly tookMs: number;
      readonly outcome: Outcome<Result>;
    };

/** Of what a call asks for by `bt`: a worker keeps them, and the runner sees to it that it does. */
export interface AskLimits {
  /** That one call has under way. */
  readonly asksAtOnce: number;
  readonly asksPerCall: number;
}
