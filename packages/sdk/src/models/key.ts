/** The public half of a key to which clients encrypt, in one of two formats. */
export interface Key {
  readonly id: string;
  readonly tenantId: string;
  readonly encoding: KeyEncoding;
  /** The `alg` of a JWE (RFC 7516) to it. */
  readonly algorithm: 'ECDH-ES';
  /** Its `kid` is the key's id, and so is that of a JWE. */
  readonly publicKeyJwk?: PublicJwk;
  /** An SPKI structure. */
  readonly publicKeyPem?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly createdBy: string;
  readonly createdAt: string;
}

export type KeyEncoding = 'JWK' | 'PEM';

/** RFC 7517. */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: 'enc';
  readonly alg: 'ECDH-ES';
}

export interface CreateKey {
  /** Default: JWK. */
  readonly encoding?: KeyEncoding | undefined;
  /** ISO 8601. After this, data that is encrypted to the key cannot be opened. */
  readonly expiresAt?: string | undefined;
}
