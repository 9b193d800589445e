import { type KeyObject, verify } from 'node:crypto';

import { fingerprintOf, publicKeyOf } from './public-key.ts';

/** Members that `signDocument` adds. */
const signatureName = 'signature';

export type SignedDocument = Readonly<Record<string, unknown>>;

/**
 * A JSON object with an Ed25519 signature over its other members, in their order and without white space. White space
 * may therefore be changed, e.g. to print it.
 * @param content names its format, its key as `key_id` (RFC 7638) and that public key as `public_key`
 */
export function signDocument(content: SignedDocument, sign: (message: Buffer) => Buffer): SignedDocument {
  return { ...content, [signatureName]: sign(signedText(content)).toString('hex') };
}

/**
 * @param known the only keys that count, by their fingerprints; undefined: the one that the document names is believed
 * @returns what is wrong; undefined for nothing
 */
export function documentProblem(
  document: SignedDocument,
  format: string,
  known: ReadonlyMap<string, KeyObject> | undefined,
): string | undefined {
  const { [signatureName]: signature, ...content } = document;
  const { format: named, key_id: keyId, public_key: x } = content;
  if (named !== format) return `does not name the format ${format}`;
  if (typeof keyId !== 'string' || typeof x !== 'string' || typeof signature !== 'string')
    return 'names no key, or has no signature';
  const own = publicKeyOf(x);
  if (own === undefined || fingerprintOf({ kty: 'OKP', crv: 'Ed25519', x }) !== keyId)
    return 'names a key that is not the one of its fingerprint';
  const key = known === undefined ? own : known.get(keyId);
  if (key === undefined) return `is signed by a key that is not among the given ones: ${keyId}`;
  if (verify(null, signedText(content), key, Buffer.from(signature, 'hex'))) return undefined;
  return 'its signature does not match: somebody without the key has changed it';
}

/** A signature for another purpose is none here. */
function signedText(content: SignedDocument): Buffer {
  return Buffer.from(`glovebox/signed-document/1\n${JSON.stringify(content)}`);
}
