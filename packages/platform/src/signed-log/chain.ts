import { createHash } from 'node:crypto';

/**
 * A signed log: lines of JSON, each with the digest of itself and all lines before it, and among them checkpoints that
 * sign the digest. The form of a line, byte by byte (contract/audit-export.md#lines):
 *
 *     body,"digest":"<64 hex digits>"}
 *     body,"digest":"<64 hex digits>","signature":"<128 hex digits>"}
 *
 * `body` is a JSON object without its closing brace. The digest is SHA-256 over the digest of the line before (32 bytes;
 * none for the first line) and the bytes of `body`.
 */
export const digestBytes = 32;
export const noDigest: Uint8Array = new Uint8Array();

export interface ChainedLine {
  /** With its line feed. */
  readonly text: string;
  readonly digest: Buffer;
}

export function chainDigest(previous: Uint8Array, body: string | Uint8Array): Buffer {
  return createHash('sha256').update(previous).update(body).digest();
}

/** A line of a log. @param content has at least one member */
export function chainedLine(previous: Uint8Array, content: object): ChainedLine {
  const body = bodyOf(content);
  const digest = chainDigest(previous, body);
  return { text: `${body},"digest":"${digest.toString('hex')}"}\n`, digest };
}

/** A checkpoint. @param sign signs what `signedMessage` makes of the digest */
export function checkpointLine(
  previous: Uint8Array,
  content: object,
  sign: (message: Buffer) => Buffer,
): ChainedLine {
  const body = bodyOf(content);
  const digest = chainDigest(previous, body);
  const signature = sign(signedMessage(digest)).toString('hex');
  return { text: `${body},"digest":"${digest.toString('hex')}","signature":"${signature}"}\n`, digest };
}

/** What a checkpoint signs: a signature for another purpose is none here. */
export function signedMessage(digest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('glovebox/signed-log/1\n'), digest]);
}

function bodyOf(content: object): string {
  return JSON.stringify(content).slice(0, -1);
}
