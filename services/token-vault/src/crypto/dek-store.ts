import type { WrappedKey } from './key-provider.ts';

/** `data` keys seal values and rotate; `index` keys make fingerprints and search hashes. */
export type KeyKind = 'data' | 'index';

/** In which format rows are sealed under a data key: in 2, a tag authenticates all columns of the row (row-tag.ts). */
export type RowFormat = 1 | 2;

export interface StoredDek extends WrappedKey {
  readonly tenantId: string;
  readonly kind: KeyKind;
  /** From 1 per tenant and kind; the highest is the current one. */
  readonly version: number;
  /** The least that a row under this key must have. Of index keys always 1. */
  readonly rowFormat: RowFormat;
}

export interface IndexVersions {
  /** Under which fingerprints and search hashes are made. */
  readonly writing: number;
  /** Under which there may be others, while they are made anew. */
  readonly others: readonly number[];
  /** The first one, for hashes of requests. */
  readonly first: number;
}

/** Stores wrapped data keys. Reads must see every committed insert, so a replica will not do. */
export interface DekStore {
  get(tenantId: string, kind: KeyKind, version: number): Promise<StoredDek | undefined>;
  current(tenantId: string, kind: KeyKind): Promise<StoredDek | undefined>;
  /** Which index keys are used now. Undefined: there is none yet. */
  indexVersions(tenantId: string): Promise<IndexVersions | undefined>;
  /** Since an index key was stored, in milliseconds. */
  ageOfIndexKey(tenantId: string, version: number): Promise<number>;
  /** Inserts unless the tenant, kind and version exist. Never replaces a key. */
  insertIfAbsent(dek: StoredDek): Promise<void>;
  /**
   * Counts seals under a data key before they are used.
   * @returns how many are counted then; undefined when the key may seal no more: its seals were not always counted, or
   * there would be more than `most`
   */
  reserveSeals(tenantId: string, version: number, seals: number, most: number): Promise<number | undefined>;
  /** Whether the first key of a tenant is made for format 2: unless a vault may run that cannot read it. */
  startsWithTags(): Promise<boolean>;
}
