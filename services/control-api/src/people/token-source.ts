/** A signed-in person, as the vault identifies them. */
export interface Viewer {
  readonly tenantId: string;
  readonly userId: string;
  readonly clientAddress: string;
}

/** The containers directly below another one. */
export interface Containers {
  readonly containers: readonly string[];
  /** There are more, which are left out. */
  readonly more: boolean;
}

/** The vault's tokens for people. Only `reveal` gives plaintext. All answers are JSON as the vault wrote it. */
export interface TokenSource {
  /** @param query as in `GET /v2/tokens`. @throws AppError `unavailable`, `invalid_argument` */
  list(viewer: Viewer, masks: boolean, query: string, correlationId: string): Promise<string>;
  /** @param parent with slashes at both ends. @throws AppError `unavailable`, `invalid_argument` */
  containersBelow(tenantId: string, parent: string, correlationId: string): Promise<Containers>;
  /** @throws AppError `unavailable`, `not_found`, `rate_limited`, `invalid_argument` */
  reveal(viewer: Viewer, tokenId: string, reason: string, correlationId: string): Promise<string>;
}
