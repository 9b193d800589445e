/**
 * Validation problems: messages by the JSON path of their field, such as `rules[0].container`
 * (contract/errors.md#error-object). Empty for a valid request.
 */
export type Problems = Record<string, string[]>;

/** Adds a message to those of a path. */
export function addProblem(problems: Problems, path: string, message: string): void {
  (problems[path] ??= []).push(message);
}

/** A value read from a request, or everything that is wrong with it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: Problems };
