/** Of an integer in Postgres. */
export const mostCounted = 2 ** 31 - 1;

/** A host and its port: what a caller names must bring nothing else into the log. */
export function isDestination(text: string): boolean {
  return /^[a-z0-9_.[\]:-]{1,300}$/.test(text);
}
