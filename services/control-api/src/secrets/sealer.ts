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

/** Seals and opens the secrets that this service stores, for which it holds no key. */
export interface Sealer {
  /** In the order of the secrets. @throws AppError `unavailable` */
  seal(secrets: readonly PlainSecret[], correlationId: string): Promise<Buffer[]>;
  /** In the order of the secrets. @throws AppError `unavailable` */
  open(secrets: readonly SealedSecret[], correlationId: string): Promise<string[]>;
  /** Under newer keys, in the order of the secrets; undefined: it stays as it is. @throws AppError `unavailable` */
  reseal(secrets: readonly SealedSecret[], correlationId: string): Promise<(Buffer | undefined)[]>;
}

/** Base64 of each sealed value by its name, as the database holds a configuration. */
export type SealedConfiguration = Readonly<Record<string, string>>;

/** Values by their names. */
export type Configuration = Readonly<Record<string, string>>;

/** The resource that a secret belongs to. */
export interface Owner {
  readonly tenantId: string;
  readonly recordId: string;
}

export function placeOf(owner: Owner, field: string): Place {
  return { ...owner, field };
}

/** The values of a configuration, to be sealed. */
export function plainSettings(owner: Owner, configuration: Configuration): PlainSecret[] {
  return Object.entries(configuration).map(([name, plaintext]) => ({
    place: placeOf(owner, `configuration.${name}`),
    plaintext,
  }));
}

/** @param sealed the settings of `configuration`, in their order. */
export function storedSettings(configuration: Configuration, sealed: readonly Buffer[]): SealedConfiguration {
  return Object.fromEntries(
    Object.keys(configuration).map((name, index) => [name, sealed[index]!.toString('base64')]),
  );
}

/** The names of a configuration, without values. */
export function hiddenSettings(stored: SealedConfiguration): Configuration {
  return Object.fromEntries(Object.keys(stored).map((name) => [name, '']));
}

/** The sealed values of a configuration, to be opened. */
export function sealedSettings(owner: Owner, stored: SealedConfiguration): SealedSecret[] {
  return Object.entries(stored).map(([name, text]) => ({
    place: placeOf(owner, `configuration.${name}`),
    sealed: Buffer.from(text, 'base64'),
  }));
}

/** Sealed values as they are published. */
export function publishedSettings(stored: SealedConfiguration): Record<string, Buffer> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
  );
}
