import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';
import type { SealWatch } from '@glovebox/vault-client/seal-watch';
import { LRUCache } from 'lru-cache';

/** A published record whose configuration the vault has sealed. */
export interface SealedRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly version: number;
  readonly sealedConfiguration: Readonly<Record<string, Uint8Array>>;
}

/** The values of a record's configuration, by name. */
export type OpenConfiguration = (
  record: SealedRecord,
  correlationId: string,
) => Promise<Readonly<Record<string, string>>>;

export interface VersionCacheOptions<R extends SealedRecord, Runnable extends object> {
  readonly openConfiguration: OpenConfiguration;
  readonly prepare: (record: R, configuration: Readonly<Record<string, string>>) => Runnable;
  readonly bytesOf: (runnable: Runnable) => number;
  /** What was opened is not used while the vault is sealed. */
  readonly sealWatch: Pick<SealWatch, 'requireUnsealed' | 'onSealed'>;
}

interface Wanted<R> {
  readonly record: R;
  readonly correlationId: string;
}

const maxVersions = 5000;
const maxBytes = 64 * 1024 * 1024;
/** Longer than a request lives. */
const keptMs = 120_000;
const fixedBytes = 500;

/**
 * The published records whose code ran recently, by version, with their configuration opened. It holds plaintext until two
 * minutes after the last use.
 */
export class VersionCache<R extends SealedRecord, Runnable extends object> {
  readonly #versions: LRUCache<string, Runnable, Wanted<R>>;
  readonly #sealWatch: Pick<SealWatch, 'requireUnsealed'>;

  constructor({ openConfiguration, prepare, bytesOf, sealWatch }: VersionCacheOptions<R, Runnable>) {
    this.#versions = new LRUCache<string, Runnable, Wanted<R>>({
      max: maxVersions,
      maxSize: maxBytes,
      ttl: keptMs,
      // By default the cache reads the clock, and sets a timer, in every millisecond of use.
      ttlResolution: 1000,
      sizeCalculation: (runnable) => fixedBytes + bytesOf(runnable),
      fetchMethod: async (_key, _stale, { context: { record, correlationId } }) =>
        prepare(record, await openConfiguration(record, correlationId)),
    });
    this.#sealWatch = sealWatch;
    sealWatch.onSealed(() => this.#versions.clear());
  }

  /**
   * The published version. Concurrent calls open it once.
   * @param key the key that the record is published under
   * @throws AppError
   */
  current(key: string, record: R, correlationId: string): MaybePromise<Runnable> {
    if (Object.keys(record.sealedConfiguration).length > 0) this.#sealWatch.requireUnsealed();
    const name = nameOf(key, record.version);
    const known = this.#versions.get(name, { updateAgeOnGet: true });
    return known ?? this.#versions.forceFetch(name, { context: { record, correlationId } });
  }

  /** A version that is not published any more, if it is still cached. */
  earlier(key: string, version: number): Runnable | undefined {
    return this.#versions.get(nameOf(key, version));
  }
}

function nameOf(key: string, version: number): string {
  return `${key}:${version}`;
}
