import { setImmediate as nextTurn } from 'node:timers/promises';

import { getValues } from '@glovebox/platform/db/get-values';
import type { Redis } from '@glovebox/platform/db/redis';
import { scanNames } from '@glovebox/platform/db/scan-names';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { decodeRecord } from './codec.ts';
import type { RecordName, RedisNames } from './keys.ts';
import type { LatestMarker } from './latest-marker.ts';
import { type SignedMarker, verifyMarker } from './marker.ts';
import type { PublicKeys } from './public-keys.ts';
import { RefusedRecord, verifyValue } from './record-signature.ts';
import { SnapshotFiles } from './snapshot-files.ts';

export interface SnapshotOptions {
  readonly folder: string;
  readonly redis: Redis;
  readonly names: RedisNames;
  readonly publicKeys: PublicKeys;
  readonly marker: LatestMarker;
  readonly refused: (error: RefusedRecord) => void;
  readonly logger: Logger;
}

/** How far the snapshot is behind what is published, about. */
const roundMs = 5000;

/** Read from Redis at once: some megabytes at most, as records are. */
const recordsAtOnce = 100;

/** What a snapshot holds of a name, with the marker that vouches for it. */
export interface Remembered {
  readonly stored: Buffer;
  readonly marker: SignedMarker;
}

/**
 * Keeps everything that is published on the local disk, so that a process that starts while Redis is away knows it. It
 * follows announcements in the background, and reads all of Redis where it may have missed some.
 */
export class Snapshot implements AsyncDisposable {
  readonly #options: SnapshotOptions;
  readonly #files: SnapshotFiles;
  readonly #stopped = new AbortController();
  readonly #opened: Promise<void>;
  /** Whose change was announced and is not on the disk yet. */
  readonly #changed = new Set<string>();
  #missesSome = true;
  #isFull = false;
  /** Vouches for what is on the disk. */
  #marker: SignedMarker | undefined;
  /** What was the marker a round ago: all that it covers has been announced by now. */
  #previous: string | undefined;
  #written: string | undefined;
  #round: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: SnapshotOptions) {
    this.#options = options;
    this.#files = new SnapshotFiles(options.folder);
    this.#opened = this.#open();
    this.#timer = setInterval(() => this.#nextRound(), roundMs);
    this.#timer.unref();
  }

  /** Resolves when what an earlier process has left is at hand. */
  opened(): Promise<void> {
    return this.#opened;
  }

  /** A record was published. */
  note(name: string): void {
    this.#changed.add(this.#options.names.record(name as RecordName));
  }

  /** Any record may have been published. */
  noteAll(): void {
    this.#missesSome = true;
    if (this.#marker === undefined) this.#nextRound();
  }

  /** When control-api has signed what is on the disk, in milliseconds; undefined for nothing. */
  get signedAt(): number | undefined {
    return this.#marker?.signedAt;
  }

  /** What was published of a name as far as the snapshot goes; undefined for nothing. */
  async read(key: string): Promise<Remembered | undefined> {
    await this.#opened;
    const marker = this.#marker;
    // After another database has begun to publish here, what the former one published is void.
    if (marker === undefined || marker.installationId !== this.#options.marker.value?.installationId)
      return undefined;
    if (this.#changed.has(key)) return undefined;
    const stored = await this.#files.read(key);
    return stored && { stored, marker };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#round;
  }

  async #open(): Promise<void> {
    const { marker: latest, names, publicKeys, refused, logger } = this.#options;
    try {
      await this.#files.open();
      const text = await this.#files.marker();
      if (text === undefined) return;
      this.#marker = await verifyMarker(publicKeys, names.signedMarker, text);
      if (this.#marker === undefined) {
        refused(new RefusedRecord('marker', 'a snapshot with a signature that does not count'));
        return;
      }
      // Redis must not be older than what was seen here before. A newer one may have come first.
      await latest.judge(text).catch((error: unknown) => {
        if (!(error instanceof RefusedRecord)) throw error;
      });
    } catch (err) {
      logger.error({ err }, 'the snapshot of what is published cannot be read');
    }
  }

  #nextRound(): void {
    if (this.#round !== undefined || this.#stopped.signal.aborted) return;
    this.#round = this.#keep().finally(() => {
      this.#round = undefined;
    });
  }

  async #keep(): Promise<void> {
    const { redis, names, marker: latest, logger } = this.#options;
    if (redis.status !== 'ready') return;
    try {
      await this.#opened;
      // Not at the start, which would take as long as there is much.
      await this.#files.list();
      const text = (await redis.get(names.signedMarker)) ?? undefined;
      const marker = await latest.judge(text);
      if (text === undefined || marker === undefined) return;
      // Everything was signed anew.
      if (marker.floor > (this.#marker?.floor ?? -1)) this.#missesSome = true;
      const readsAll = this.#missesSome;
      this.#missesSome = false;
      try {
        await (readsAll ? this.#readAll() : this.#readRecords([...this.#changed]));
      } catch (error) {
        this.#missesSome = true;
        throw error;
      }
      await this.#vouch(readsAll ? text : this.#previous);
      this.#previous = text;
    } catch (err) {
      logger.warn({ err }, 'the snapshot of what is published was not written');
    }
  }

  async #vouch(text: string | undefined): Promise<void> {
    if (text === undefined || text === this.#written) return;
    const { publicKeys, names } = this.#options;
    const marker = await verifyMarker(publicKeys, names.signedMarker, text);
    if (marker === undefined) return;
    await this.#files.putMarker(text);
    this.#written = text;
    this.#marker = marker;
  }

  async #readAll(): Promise<void> {
    const { redis, names } = this.#options;
    const found = new Set<string>();
    for await (const keys of scanNames(redis, names.allRecords, recordsAtOnce)) {
      if (this.#stopped.signal.aborted) return;
      // In a cluster a name may come twice.
      const others = keys.filter((key) => !found.has(key));
      await this.#readRecords(others);
      for (const key of others) found.add(key);
    }
    await this.#files.keepOnly(found);
  }

  async #readRecords(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += recordsAtOnce) {
      const part = keys.slice(start, start + recordsAtOnce);
      // One that is announced from here on is read again.
      for (const key of part) this.#changed.delete(key);
      const values = await getValues(this.#options.redis, part);
      for (const [position, key] of part.entries()) {
        if (this.#stopped.signal.aborted) return;
        await this.#keepRecord(key, values[position] ?? undefined);
        await nextTurn();
      }
    }
  }

  async #keepRecord(key: string, stored: Buffer | undefined): Promise<void> {
    const { publicKeys, refused, logger } = this.#options;
    if (stored === undefined) return this.#files.remove(key);
    if (this.#files.has(key, stored)) return;
    try {
      const { value } = await verifyValue(publicKeys, key, stored);
      if (decodeRecord(value).record?.$case === 'tombstone') return await this.#files.remove(key);
    } catch (error) {
      // The last one that was signed stays.
      if (!(error instanceof RefusedRecord)) throw error;
      return refused(error);
    }
    if ((await this.#files.put(key, stored)) || this.#isFull) return;
    this.#isFull = true;
    logger.error('the snapshot of what is published has no room for more');
  }
}
