/**
 * How one run of user code ended.
 * @template Result what holds the JSON text of a result.
 */
export type Outcome<Result = Buffer> =
  /** JSON text of the settled result; empty when it was undefined. */
  | { readonly kind: 'returned'; readonly result: Result }
  /** JSON text `{name, message, stack}` of what was thrown. Written inside the isolate, so untrusted. */
  | { readonly kind: 'threw'; readonly thrown: string }
  /** The code does not parse, or does not export a function. */
  | { readonly kind: 'not_a_function'; readonly reason: string }
  | { readonly kind: 'bad_argument' }
  | { readonly kind: 'result_too_large' }
  /** The limit is in milliseconds, where it is known. `wasWaiting`: it held no thread when its time was over. */
  | { readonly kind: 'timeout'; readonly limitMs?: number; readonly wasWaiting?: boolean }
  /** It used more processor time than it may. The limit is in milliseconds, where it is known. */
  | { readonly kind: 'cpu'; readonly limitMs?: number }
  /** The limit is in MiB, where it is known. */
  | { readonly kind: 'memory'; readonly limitMb?: number }
  /** The worker process exited during the run. */
  | { readonly kind: 'crashed' }
  /** The worker process was ended for other code, and the run may have had effects already. */
  | { readonly kind: 'worker_lost' }
  /** The caller cancelled it. */
  | { readonly kind: 'cancelled' };

/** The runner had a run ended before it had an effect outside, to begin it elsewhere. */
export interface Moved {
  readonly kind: 'moved';
}

/** In the worker, results are text; the runner passes them on as bytes. */
export type TextOutcome = Outcome<string> | Moved;

/** A run that can begin in another worker: it has not begun, or nothing outside has noticed that it has. */
export interface Unfinished {
  readonly kind: 'unfinished';
  readonly hasBegun: boolean;
  /** Its process may have ended because of it, or waited for it too long. */
  readonly isSuspect: boolean;
  /** It held its worker up, and was ended for that. */
  readonly wasMoved: boolean;
}

export type Failure = Exclude<Outcome, { kind: 'returned' }>;

/** After these outcomes the worker process is not trusted any more. */
export function isMisbehaviour({ kind }: Outcome<unknown> | Moved): boolean {
  return kind === 'timeout' || kind === 'cpu' || kind === 'memory' || kind === 'crashed';
}

/** The file name of user code in stacks. */
export const userFile = 'main.js';

/** One piece of text that user code wrote to its console, standard output or standard error. */
export interface LogEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly level: 'info' | 'error';
  readonly text: string;
}
