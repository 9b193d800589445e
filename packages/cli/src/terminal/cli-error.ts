/** A failure that the message explains; the program ends with 1. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The message of something that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether a file that was to be opened does not exist. */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}

/** The arguments are wrong; the usage is printed after the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
