/** What an invocation needs when its turn comes. It holds plaintext, and maybe a key. */
export interface JobArguments {
  /** JSON text. */
  readonly args: string;
  /** The invoker's, where its tokens are going to be made with it. */
  readonly apiKey: string | undefined;
}

/** An API key has no line feed, so the first line is the key. */
export function writeArguments({ args, apiKey = '' }: JobArguments): Buffer {
  return Buffer.from(`${apiKey}\n${args}`);
}

export function readArguments(bytes: Buffer): JobArguments {
  const end = bytes.indexOf('\n');
  const apiKey = bytes.toString('utf8', 0, end);
  return { args: bytes.toString('utf8', end + 1), apiKey: apiKey === '' ? undefined : apiKey };
}
