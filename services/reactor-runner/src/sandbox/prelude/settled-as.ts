/** How an isolate tells the worker what became of an invocation: the first character of a text. */
export const settledAs = {
  /** Followed by the result's JSON text. */
  returned: 'r',
  returnedUndefined: 'u',
  /** Followed by JSON text `{name, message, stack}`. */
  threw: 't',
  notAFunction: 'n',
  badArgument: 'a',
  resultTooLarge: 'l',
} as const;

export type SettledAs = typeof settledAs;
