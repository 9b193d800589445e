import type { WrappedKey } from './key-provider.ts';

/** `data` keys seal values and rotate. `index` keys make fingerprints and search hashes and stay (keyring.ts says why). */
export type KeyKind = 'data' | 'index';

export interface StoredDek extends WrappedKey {
  readonly tenantId: string;
  readonly kind: KeyKind;
  /** Counts from 1 per tenant and kind; the highest is the current one. */
  readonly version: number;
}

/** Where wrapped data keys rest. Reads must see what an insert of any process has committed: no replica that lags. */
export interface DekStore {
  get(tenantId: string, kind: KeyKind, version: number): Promise<StoredDek | undefined>;
  current(tenantId: string, kind: KeyKind): Promise<StoredDek | undefined>;
  /** Inserts unless this tenant, kind and version exists. It never replaces a key, and says nothing when it did not. */
  insertIfAbsent(dek: StoredDek): Promise<void>;
}
