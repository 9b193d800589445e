import { type KeyObject, createHash, createPublicKey } from 'node:crypto';

/** A public key of Ed25519 (RFC 8037). */
export interface Ed25519Jwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** 32 bytes in base64url. */
  readonly x: string;
}

/** @param key of Ed25519, private or public */
export function jwkOf(key: KeyObject): Ed25519Jwk {
  const { x = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x };
}

/** SHA-256 over the key's members in base64url (RFC 7638): the same however the key is written down. */
export function fingerprintOf({ crv, kty, x }: Ed25519Jwk): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

/** Undefined unless it is 32 bytes in base64url, written in the only way. */
export function publicKeyOf(x: string): KeyObject | undefined {
  const bytes = Buffer.from(x, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== x) return undefined;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
