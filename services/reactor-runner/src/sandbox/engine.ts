import type { CodeReach } from '../worker-protocol/code-reach.ts';
import type { FromWorker, ToWorker } from '../worker-protocol/messages.ts';
import type { WorkerOptions } from '../worker-protocol/worker-options.ts';

/** What an engine reports of the calls that are in it. */
export type EngineEvent =
  | Exclude<FromWorker<string>, { type: 'ready' | 'proceeding' }>
  /** The call is about to have its first effect outside. It has none before this has been dealt with. */
  | { readonly type: 'effect'; readonly callId: number };

export type EngineCall = Omit<Extract<ToWorker, { type: 'run' }>, 'type'>;

/**
 * Runs tenants' code within one worker process, isolated from the process and from other code. It is all that the process
 * knows of what executes JavaScript: nothing outside an engine's own folder imports the packages that it is built on. Calls
 * end by a `settled` event, and no method throws because of what user code does.
 */
export interface Engine {
  /** Holds a module's text under an id. None of it runs. */
  load(codeId: number, code: string): void;

  /** Says what further calls of a module may reach; before, it is what the operator allows. */
  restrict(codeId: number, reach: CodeReach): void;

  /** Starts a call of the function that the module exports. @throws Error when the code was not loaded. */
  run(call: EngineCall): void;

  /** Settles a suspended call as `cancelled`; a call that has ended is left alone. */
  cancel(callId: number): void;

  /** Releases a module and what it holds once its calls have ended. No further call names it. */
  dispose(codeId: number): void;

  /** Settles a call as `returned` if the code parses and, unless `loadMs` is 0, loads within that time as a module that exports a function. */
  check(callId: number, code: string, loadMs: number): void;

  /** Answers a request that the code of a suspended call has made by `bt`; without effect if the call has ended. */
  answer(callId: number, requestId: number, answer: Buffer): void;
}

/**
 * Reads every file that the engine needs. The worker gives up its privileges before it starts the engine by the function that
 * this returns.
 * @param cells in which the engine says what holds the thread, and reads what the runner wants to end (shared-cells.ts)
 */
export type OpenEngine = (
  options: WorkerOptions,
  cells: Int32Array<SharedArrayBuffer>,
) => (emit: (event: EngineEvent) => void) => Engine;
