/** Names the place of a secret; sealed for one, it opens nowhere else. */
export interface Place {
  readonly tenantId: string;
  readonly recordId: string;
  /** E.g. `key`, `configuration.API_KEY`. */
  readonly field: string;
}

export interface PlainSecret {
  readonly place: Place;
  readonly plaintext: string;
}

export interface SealedSecret {
  readonly place: Place;
  readonly sealed: Buffer;
}

/** What keeps the secrets that this service stores and returns, but must not be able to open by itself. */
export interface Sealer {
  /** In the order of the secrets. @throws AppError `unavailable` */
  seal(secrets: readonly PlainSecret[], correlationId: string): Promise<Buffer[]>;
  /** In the order of the secrets. @throws AppError `unavailable` */
  open(secrets: readonly SealedSecret[], correlationId: string): Promise<string[]>;
}
