import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

import { IntegrityViolation } from './integrity-violation.ts';

/**
 * AES-256-GCM, the only cipher of the vault: it hides a value and makes every change to it visible, and it is what
 * every key management service speaks too.
 *
 * Two rules keep GCM safe, and both are kept here rather than by the callers:
 * - A nonce must never meet the same key twice, else both plaintexts and the authentication key are lost. Nonces are
 *   96 random bits, so the chance of a repeat stays below 2^-32 for up to 2^32 messages under one key (NIST SP
 *   800-38D, section 8.3). Keys are per tenant and versioned, so that this bound can be kept by rotating.
 * - The tag is always 16 bytes. Node would accept a tag of 4 bytes from an attacker who can write to the database, and one
 *   in 2^32 forgeries of that kind succeeds; `authTagLength` closes this.
 */
const cipher = 'aes-256-gcm';

export const keyBytes = 32;
export const nonceBytes = 12;
export const tagBytes = 16;
export const overheadBytes = nonceBytes + tagBytes;

/** @returns `header`, nonce, ciphertext and tag. The header is not encrypted; put it into `aad` to protect it. */
export function encrypt(key: KeyObject, aad: Uint8Array, plaintext: Uint8Array, header: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encryption.setAAD(aad);
  const ciphertext = encryption.update(plaintext);
  encryption.final();
  return Buffer.concat([header, nonce, ciphertext, encryption.getAuthTag()]);
}

/**
 * @param sealed nonce, ciphertext and tag
 * @throws IntegrityViolation whatever the reason. No plaintext is returned before the tag is verified.
 */
export function decrypt(key: KeyObject, aad: Uint8Array, sealed: Uint8Array): Buffer {
  const tagAt = sealed.length - tagBytes;
  if (tagAt < nonceBytes) throw new IntegrityViolation();
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decryption.setAuthTag(sealed.subarray(tagAt));
  decryption.setAAD(aad);
  const plaintext = decryption.update(sealed.subarray(nonceBytes, tagAt));
  try {
    decryption.final();
  } catch {
    plaintext.fill(0);
    throw new IntegrityViolation();
  }
  return plaintext;
}
