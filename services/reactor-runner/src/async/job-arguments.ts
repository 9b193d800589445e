/** What an invocation needs when its turn comes. It holds plaintext, and maybe a key. */
export interface JobArguments {
  /** JSON text. */
  readonly args: string;
  /** JSON texts of what was filled in. */
  readonly values: readonly string[];
  /** The invoker's, where its tokens are going to be made with it. */
  readonly apiKey: string | undefined;
}

/** One line of JSON, and then the arguments as they are. */
export function writeArguments({ args, ...head }: JobArguments): Buffer {
  return Buffer.from(`${JSON.stringify(head)}\n${args}`);
}

/** Of an earlier version the line is the key alone, or empty. */
export function readArguments(bytes: Buffer): JobArguments {
  const end = bytes.indexOf('\n');
  const line = bytes.toString('utf8', 0, end);
  const args = bytes.toString('utf8', end + 1);
  if (!line.startsWith('{')) return { args, values: [], apiKey: line === '' ? undefined : line };
  const { values, apiKey } = JSON.parse(line) as Omit<JobArguments, 'args'>;
  return { args, values, apiKey };
}
