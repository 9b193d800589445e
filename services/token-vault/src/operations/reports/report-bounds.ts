/** The largest `integer` of Postgres. */
export const mostCounted = 2 ** 31 - 1;

/** Whether a text is a host and a port. Nothing else may reach the log. */
export function isDestination(text: string): boolean {
  return /^[a-z0-9_.[\]:-]{1,300}$/.test(text);
}
