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
  /** The limit is in milliseconds, where it is known. */
  | { readonly kind: 'timeout'; readonly limitMs?: number }
  /** The limit is in MiB, where it is known. */
  | { readonly kind: 'memory'; readonly limitMb?: number }
  /** The worker process exited during the run. */
  | { readonly kind: 'crashed' }
  /** The caller cancelled it. */
  | { readonly kind: 'cancelled' };

/** In the worker, results are text; the runner passes them on as bytes. */
export type TextOutcome = Outcome<string>;

export type Failure = Exclude<Outcome, { kind: 'returned' }>;

/** After these outcomes the worker process is not trusted any more. */
export function isMisbehaviour({ kind }: Outcome<unknown>): boolean {
  return kind === 'timeout' || kind === 'memory' || kind === 'crashed';
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
