import { hash, randomInt } from 'node:crypto';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Random characters of a key. 58^22 is a little more than 2^128. */
const randomLength = 22;

const plausible = /^[A-Za-z0-9_]{1,100}$/;

/** A new API key: `key_` and 22 characters of base58, about 128 bits (contract/conventions.md#authentication). */
export function generateApiKey(): string {
  return `key_${randomBase58(randomLength)}`;
}

/** A new proxy key: 22 characters of base58, about 128 bits (contract/limits.md#field-bounds). */
export function generateProxyKey(): string {
  return randomBase58(randomLength);
}

/** A new nonce of a session: 22 characters of base58, about 128 bits (contract/tenants.md#sessions). */
export function generateNonce(): string {
  return randomBase58(randomLength);
}

/**
 * Whether `text` could be an API key at all: 1 to 100 letters, digits and underscores
 * (contract/conventions.md#authentication). What fails here needs no look-up; what passes may still be an unknown key.
 */
export function isPlausibleApiKey(text: string): boolean {
  return plausible.test(text);
}

/**
 * SHA-256 of an API key, a proxy key or a nonce, as 64 lower-case hexadecimal digits: the only form in which
 * a key serves as an index. A fast hash suffices because generated keys are not guessable.
 */
export function hashKey(text: string): string {
  return hash('sha256', text);
}

function randomBase58(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += base58.charAt(randomInt(base58.length));
  return text;
}
