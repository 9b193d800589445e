import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { keyIdOf } from './public-keys.ts';

/**
 * The holder of the key that signs what is published. It answers asynchronously, so that the key may be in a key
 * service.
 */
export interface SigningKeyProvider {
  /** Of the public key; 8 bytes. */
  readonly keyId: Buffer;
  /** Ed25519: 64 bytes. */
  sign(message: Uint8Array): Promise<Buffer>;
}

/** The file cannot be used. The message names it, and never quotes its content. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/**
 * A key in a file: PEM, PKCS #8, as `openssl genpkey -algorithm ed25519` makes it.
 * @throws SigningKeyError
 */
export async function openSigningKey(path: string): Promise<SigningKeyProvider> {
  const key = await readPrivateKey(path);
  if (key.asymmetricKeyType !== 'ed25519') throw new SigningKeyError(`${path} is not an Ed25519 key`);
  return {
    keyId: keyIdOf(createPublicKey(key)),
    sign: (message) =>
      new Promise((resolve, reject) => {
        sign(null, message, key, (error, signature) => (error === null ? resolve(signature) : reject(error)));
      }),
  };
}

async function readPrivateKey(path: string) {
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new SigningKeyError(`${path} is not a private key in PEM (${code})`);
  }
}
