import { texts } from '../texts.ts';

/** What a check of an export of the log has found (docs/contract/audit-export.md#lines). */
export interface CheckedExport {
  readonly entries: number;
  /** Fingerprints of the installation's keys whose signatures match. */
  readonly keys: readonly string[];
  /** The first line that is not as it was written; undefined: all are. */
  readonly problem: { readonly line: number; readonly text: string } | undefined;
}

/** What an installation publishes at `/.well-known/glovebox-audit-keys`. */
export interface AuditKeys {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}

const words = texts.exports;
const tail = /,"digest":"([0-9a-f]{64})"(?:,"signature":"([0-9a-f]{128})")?\}$/;
const signed = new TextEncoder().encode('glovebox/signed-log/1\n');
/** Between two of these the page stays alive. */
const linesAtOnce = 500;

/**
 * Checks an export by the browser's own means: that each line is the one that was written, in its place, and that the
 * installation has signed them.
 * @param onProgress gets how many lines are checked
 */
export async function verifyExport(
  text: string,
  { keys }: AuditKeys,
  onProgress: (lines: number) => void,
): Promise<CheckedExport> {
  const known = new Map<string, CryptoKey>();
  for (const { kid, kty, crv, x } of keys) {
    const jwk = { kty, crv, x } as JsonWebKey;
    known.set(kid, await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']));
  }
  const check = new Check(known);
  let line = 0;
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    line += 1;
    const problem = end === -1 ? words.problems.cut : await check.problemOf(text.slice(start, end), line);
    if (problem !== undefined) return check.found({ line, text: problem });
    if (line % linesAtOnce === 0) onProgress(line);
    start = end + 1;
  }
  return check.found(check.isComplete ? undefined : { line: line + 1, text: words.problems.end });
}

class Check {
  readonly #known: ReadonlyMap<string, CryptoKey>;
  readonly #keys = new Set<string>();
  #previous = new Uint8Array();
  #entries = 0;
  isComplete = false;

  constructor(known: ReadonlyMap<string, CryptoKey>) {
    this.#known = known;
  }

  found(problem: CheckedExport['problem']): CheckedExport {
    return { entries: this.#entries, keys: [...this.#keys], problem };
  }

  async problemOf(line: string, number: number): Promise<string | undefined> {
    if (this.isComplete) return words.problems.added;
    const match = tail.exec(line);
    if (match === null) return words.problems.changed;
    const [whole, digest, signature] = match;
    const body = line.slice(0, line.length - whole.length);
    const content = parse(`${body}}`);
    const bytes = new TextEncoder().encode(body);
    const own = await sha256(joined(this.#previous, bytes));
    if (content?.['line'] !== number || hex(own) !== digest) return words.problems.changed;
    this.#previous = own;
    const { type } = content;
    if ((type === 'header') !== (number === 1)) return words.problems.misplaced;
    if (type === 'header') {
      return content['format'] === 'glovebox-audit-export/1' ? undefined : words.problems.format;
    }
    if (type === 'entry') {
      this.#entries += 1;
      return undefined;
    }
    return type === 'checkpoint'
      ? this.#checkpointProblem(content, own, signature ?? '')
      : words.problems.misplaced;
  }

  async #checkpointProblem(
    { key_id: id, entries, final }: Content,
    digest: Uint8Array,
    signature: string,
  ): Promise<string | undefined> {
    const key = typeof id === 'string' ? this.#known.get(id) : undefined;
    if (key === undefined) return words.problems.key;
    const isSigned = await crypto.subtle.verify('Ed25519', key, bytesOf(signature), joined(signed, digest));
    if (!isSigned || entries !== this.#entries) return words.problems.signature;
    this.#keys.add(id as string);
    this.isComplete = final === true;
    return undefined;
  }
}

type Content = Readonly<Record<string, unknown>>;

function parse(text: string): Content | undefined {
  try {
    return JSON.parse(text) as Content;
  } catch {
    return undefined;
  }
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
