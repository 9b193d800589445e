/** A failure that the message explains; the program ends with 1. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The arguments are wrong; the usage is printed after the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
