/**
 * The outcome of an invocation, as the first character of the text that the isolate returns. A text that begins with none of
 * them is the result's JSON text, which begins with no capital: in most cases nothing is put before it.
 */
export const settledAs = {
  returnedUndefined: 'U',
  /** Followed by JSON text `{name, message, stack}`. */
  threw: 'T',
  notAFunction: 'N',
  badArgument: 'A',
  resultTooLarge: 'L',
} as const;

export type SettledAs = typeof settledAs;
