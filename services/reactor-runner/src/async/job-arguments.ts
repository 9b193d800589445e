/** The arguments of a queued invocation. They hold plaintext, and maybe an API key. */
export interface JobArguments {
  /** JSON text. */
  readonly args: string;
  /** The plaintext values that were filled in, as JSON texts. */
  readonly values: readonly string[];
  /** Those that no result may hold; undefined in what an earlier version wrote. */
  readonly guarded: readonly string[] | undefined;
  /** The invoker's, if the result's tokens are to be made with it. */
  readonly apiKey: string | undefined;
}

/** One line of JSON, followed by the arguments. */
export function writeArguments({ args, ...head }: JobArguments): Buffer {
  return Buffer.from(`${JSON.stringify(head)}\n${args}`);
}

/** An earlier version wrote the key alone on the first line, or nothing. */
export function readArguments(bytes: Buffer): JobArguments {
  const end = bytes.indexOf('\n');
  const line = bytes.toString('utf8', 0, end);
  const args = bytes.toString('utf8', end + 1);
  if (!line.startsWith('{'))
    return { args, values: [], guarded: undefined, apiKey: line === '' ? undefined : line };
  const { values, guarded, apiKey }: Omit<JobArguments, 'args'> = JSON.parse(line);
  return { args, values, guarded, apiKey };
}
