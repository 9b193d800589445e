/** A data key as it rests in the database: `wrapped` says nothing without the key-encryption key `keyId`. */
export interface WrappedKey {
  readonly keyId: string;
  readonly wrapped: Uint8Array;
}

/**
 * Who holds the key-encryption keys: a key file in development; AWS KMS or Vault transit in production, where they
 * never leave the service. The vault asks it once per data key and process, never per token.
 *
 * `aad` names the data key's place (tenant, kind, version) and must be given back unchanged to unwrap: a wrapped key
 * that was copied to another tenant's row does not unwrap there.
 */
export interface KeyProvider {
  /** The key that wraps from now on. Earlier ones remain able to unwrap. */
  readonly currentKeyId: string;
  wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey>;
  /** The bytes belong to the caller, who overwrites them after use. */
  unwrap(keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer>;
}
