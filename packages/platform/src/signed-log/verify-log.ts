import { type KeyObject, verify } from 'node:crypto';

import { chainDigest, noDigest, signedMessage } from './chain.ts';
import { fingerprintOf, publicKeyOf } from './public-key.ts';

export interface LogProblem {
  /** From 1; one more than there are lines if the end is missing. */
  readonly line: number;
  readonly problem: string;
}

export interface VerifiedLog {
  /** The first line; undefined if that is none. */
  readonly header: Readonly<Record<string, unknown>> | undefined;
  readonly entries: number;
  readonly checkpoints: number;
  /** Fingerprints of the keys whose signatures match. */
  readonly keys: readonly string[];
  /** The first one. */
  readonly problem: LogProblem | undefined;
}

/** Far more than a line of any log has. */
const maxLineBytes = 1_048_576;

/**
 * Verifies a signed log from its bytes alone. Memory does not grow with its length.
 * @param format that the header has to name
 * @param known the only keys that count, by their fingerprints; undefined: those that the log names are believed
 */
export async function verifyLog(
  chunks: AsyncIterable<Uint8Array>,
  format: string,
  known: ReadonlyMap<string, KeyObject> | undefined,
): Promise<VerifiedLog> {
  const verifier = new LogVerifier(format, known);
  for await (const { bytes, isWhole } of linesOf(chunks)) {
    if (!verifier.read(bytes, isWhole)) break;
  }
  return verifier.end();
}

interface RawLine {
  readonly bytes: Buffer;
  /** It ends with a line feed, and is not too long. */
  readonly isWhole: boolean;
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    let start = 0;
    for (let end = held.indexOf(0x0a); end >= 0; end = held.indexOf(0x0a, start)) {
      yield { bytes: held.subarray(start, end), isWhole: true };
      start = end + 1;
    }
    held = held.subarray(start);
    if (held.length > maxLineBytes) break;
  }
  if (held.length > 0) yield { bytes: held, isWhole: false };
}

type Content = Readonly<Record<string, unknown>>;

interface Parsed {
  readonly body: Buffer;
  readonly content: Content;
  readonly digest: string;
  readonly signature: string | undefined;
}

class LogVerifier {
  readonly #format: string;
  readonly #known: ReadonlyMap<string, KeyObject> | undefined;
  readonly #keys = new Set<string>();
  #header: Content | undefined;
  #line = 0;
  #entries = 0;
  #checkpoints = 0;
  #previous: Uint8Array = noDigest;
  /** The last line that a signature covers. */
  #signedTo = 0;
  #isComplete = false;
  #problem: LogProblem | undefined;

  constructor(format: string, known: ReadonlyMap<string, KeyObject> | undefined) {
    this.#format = format;
    this.#known = known;
  }

  /** @returns whether the log is in order up to here */
  read(bytes: Buffer, isWhole: boolean): boolean {
    this.#line += 1;
    const problem = this.#problemOf(bytes, isWhole);
    if (problem !== undefined) this.#problem = { line: this.#line, problem };
    return problem === undefined;
  }

  end(): VerifiedLog {
    if (this.#problem === undefined && !this.#isComplete) {
      const problem = 'the log ends without its last checkpoint: lines are missing from here on';
      this.#problem = { line: this.#line + 1, problem };
    }
    return {
      header: this.#header,
      entries: this.#entries,
      checkpoints: this.#checkpoints,
      keys: [...this.#keys],
      problem: this.#problem,
    };
  }

  #problemOf(bytes: Buffer, isWhole: boolean): string | undefined {
    if (this.#isComplete) return 'was added: it follows the last checkpoint';
    if (!isWhole) return 'is cut off';
    const parsed = parse(bytes);
    if (typeof parsed === 'string') return parsed;
    const { body, content, digest } = parsed;
    const own = chainDigest(this.#previous, body);
    const isInPlace = content['line'] === this.#line;
    if (!isInPlace || own.toString('hex') !== digest) {
      return isInPlace
        ? 'was changed, or lines before it are not those of this log'
        : this.#misplaced(content);
    }
    this.#previous = own;
    return this.#typeProblem(parsed, own);
  }

  #misplaced({ line }: Content): string {
    const stands = `is line ${String(line)}, where line ${this.#line} belongs`;
    if (typeof line === 'number' && line > this.#line)
      return `${stands}: line ${this.#line} is missing or was moved`;
    return `${stands}: it was added, changed or moved`;
  }

  #typeProblem({ content, signature }: Parsed, digest: Buffer): string | undefined {
    const { type } = content;
    if ((type === 'header') !== (this.#line === 1)) return 'is no line that belongs here';
    if ((type === 'checkpoint') !== (signature !== undefined))
      return 'has no signature, or one that it must not have';
    if (type === 'checkpoint') return this.#checkpointProblem(content, digest, signature ?? '');
    if (type === 'header') {
      this.#header = content;
      return content['format'] === this.#format ? undefined : `does not name the format ${this.#format}`;
    }
    if (type !== 'entry') return 'is of an unknown type';
    this.#entries += 1;
    return undefined;
  }

  #checkpointProblem(content: Content, digest: Buffer, signature: string): string | undefined {
    const { key_id: keyId, public_key: x, entries, final } = content;
    if (typeof keyId !== 'string' || typeof x !== 'string') return 'names no key';
    const key = this.#known === undefined ? believed(keyId, x) : this.#known.get(keyId);
    if (key === undefined) {
      return this.#known === undefined
        ? 'names a key that is not the one of its fingerprint'
        : `is signed by a key that is not among the given ones: ${keyId}`;
    }
    if (!verify(null, signedMessage(digest), key, Buffer.from(signature, 'hex'))) {
      return `its signature does not match: somebody without the key has changed lines ${this.#signedTo + 1} to ${this.#line}`;
    }
    if (entries !== this.#entries || content['export_id'] !== this.#header?.['id'])
      return 'is of another log';
    this.#keys.add(keyId);
    this.#checkpoints += 1;
    this.#signedTo = this.#line;
    this.#isComplete = final === true;
    return undefined;
  }
}

function believed(keyId: string, x: string): KeyObject | undefined {
  const key = publicKeyOf(x);
  return key !== undefined && fingerprintOf({ kty: 'OKP', crv: 'Ed25519', x }) === keyId ? key : undefined;
}

const tail = /,"digest":"([0-9a-f]{64})"(?:,"signature":"([0-9a-f]{128})")?\}$/;
/** The length of the longest tail. */
const tailBytes = 12 + 64 + 1 + 15 + 128 + 2;

function parse(bytes: Buffer): Parsed | string {
  const end = bytes.subarray(Math.max(0, bytes.length - tailBytes)).toString('latin1');
  const match = tail.exec(end);
  if (match === null) return 'does not end with a digest: it was changed';
  const [whole, digest = '', signature] = match;
  const body = bytes.subarray(0, bytes.length - whole.length);
  try {
    const content: unknown = JSON.parse(`${body.toString('utf8')}}`);
    if (typeof content === 'object' && content !== null) {
      return { body, content: content as Content, digest, signature };
    }
  } catch {
    // The same as another kind of JSON.
  }
  return 'is no JSON object: it was changed';
}
