/** The code that Node.js or Postgres gave an error, such as `ENOENT` or `23505`; undefined for anything else. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}
