/** A data key as the database stores it, wrapped under the key-encryption key `keyId`. */
export interface WrappedKey {
  readonly keyId: string;
  readonly wrapped: Uint8Array;
}

/**
 * The holder of the key-encryption keys: a key file in development; AWS KMS or Vault transit in production, where the
 * keys never leave the service. The vault calls it once per data key and process, never per token. `aad` names the place
 * of the data key (tenant, kind, version). A wrapped key that is copied to another row does not unwrap.
 */
export interface KeyProvider {
  /** Wraps from now on; earlier keys still unwrap. */
  readonly currentKeyId: string;
  wrap(dataKey: Uint8Array, aad: Uint8Array): Promise<WrappedKey>;
  /** The caller overwrites the bytes after use. */
  unwrap(keyId: string, wrapped: Uint8Array, aad: Uint8Array): Promise<Buffer>;
}
