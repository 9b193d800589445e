/**
 * How one run of user code ended.
 * @template Result what holds the JSON text of a result.
 */
export type Outcome<Result = Buffer> =
  /** JSON text of the settled result; empty when it was undefined. */
  | { readonly kind: 'returned'; readonly result: Result }
  /** JSON text `{name, message, stack}` of what was thrown. Written inside the isolate: nothing in it is to be trusted. */
  | { readonly kind: 'threw'; readonly thrown: string }
  /** The code is no module that exports a function: it does not parse, or exports something else. */
  | { readonly kind: 'not_a_function'; readonly reason: string }
  | { readonly kind: 'bad_argument' }
  | { readonly kind: 'result_too_large' }
  /** After so many milliseconds, where that is known. */
  | { readonly kind: 'timeout'; readonly limitMs?: number }
  /** More than so many MiB, where that is known. */
  | { readonly kind: 'memory'; readonly limitMb?: number }
  /** The worker process ended under it. */
  | { readonly kind: 'crashed' }
  /** Nobody waits for it any more. */
  | { readonly kind: 'cancelled' };

/** As the worker has it that the code ran in; the runner passes results on as bytes. */
export type TextOutcome = Outcome<string>;

export type Failure = Exclude<Outcome, { kind: 'returned' }>;

/** After these nothing in the worker process is relied on any more. */
export function isMisbehaviour({ kind }: Outcome<unknown>): boolean {
  return kind === 'timeout' || kind === 'memory' || kind === 'crashed';
}

/** The name under which the stack of user code shows its file. */
export const userFile = 'main.js';

/** One piece of text that user code wrote to its console, standard output or standard error. */
export interface LogEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly level: 'info' | 'error';
  readonly text: string;
}
