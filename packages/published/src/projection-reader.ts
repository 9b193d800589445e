import { hash } from 'node:crypto';

import { getValues } from '@glovebox/platform/db/get-values';
import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { PublishedRecord } from '@glovebox/protos/published/v1/published';

import { decodeRecord } from './codec.ts';
import type { RecordName, RedisNames } from './keys.ts';
import type { LatestMarker } from './latest-marker.ts';
import type { SignedMarker } from './marker.ts';
import type { PublicKeys } from './public-keys.ts';
import type { PublishedMetrics } from './published-metrics.ts';
import type { Found, Kept, Reading } from './record-cache.ts';
import { RefusedRecord, verifyValue } from './record-signature.ts';
import { verifyText } from './signed-text.ts';
import type { Snapshot } from './snapshot.ts';

/** What a record of its kind says; undefined for a tombstone. @throws Error for another kind */
export type Convert<T> = (record: PublishedRecord) => T | undefined;

export interface ProjectionReaderOptions {
  readonly redis: Redis;
  readonly names: RedisNames;
  readonly publicKeys: PublicKeys;
  readonly marker: LatestMarker;
  readonly snapshot: Snapshot | undefined;
  readonly refused: (error: RefusedRecord) => void;
  /** A record could not be read, for any other reason. */
  readonly failed: (error: unknown) => void;
  readonly checkSession?: ((place: string, stored: Buffer) => Promise<void>) | undefined;
  readonly logger: Logger;
}

/** Reads published records from Redis, and gives only what control-api has signed. */
export class ProjectionReader {
  readonly #options: ProjectionReaderOptions;
  #wasVouchedFor = false;
  #isFromRedis = false;

  constructor(options: ProjectionReaderOptions) {
    this.#options = options;
  }

  /** @param places where it may be; the first that holds something counts */
  async read<T>(
    places: readonly string[],
    convert: Convert<T>,
    kept: Kept<T> | undefined,
  ): Promise<Reading<T>> {
    const { redis, names, marker: latest, refused, failed } = this.#options;
    try {
      const [text, ...values] = await getValues(redis, [names.signedMarker, ...places]);
      const marker = await latest.judge(text?.toString());
      if (marker === undefined) return notWhole;
      const confirmedAt = latest.vouchesAsOf(marker);
      if (confirmedAt === undefined)
        return { outcome: 'unavailable', cause: new Error('the marker is too old') };
      const position = values.findIndex((value) => value !== null);
      const stored = values[position];
      if (!stored) {
        // Without a marker, as during a rebuild, a record may be missing that will be there.
        return text && (await this.#isStill(text))
          ? { outcome: 'absent', sequence: marker.sequence, confirmedAt }
          : notWhole;
      }
      const place = places[position] ?? '';
      const found = await this.#accept(place, stored, marker, convert, kept);
      if (found.value !== undefined) return { outcome: 'found', ...found, value: found.value, confirmedAt };
      return { outcome: 'absent', sequence: Math.max(marker.sequence, found.sequence ?? 0), confirmedAt };
    } catch (cause) {
      if (cause instanceof RefusedRecord) {
        refused(cause);
        return { outcome: 'refused', cause };
      }
      failed(cause);
      return { outcome: 'unavailable', cause };
    }
  }

  /** In a cluster the marker was read by a command of its own: it says what was missing if it is the same afterwards. */
  async #isStill(marker: Buffer): Promise<boolean> {
    const { redis, names } = this.#options;
    return !names.isCluster || (await redis.getBuffer(names.signedMarker))?.equals(marker) === true;
  }

  /** What the snapshot on the local disk holds, as of when it was signed. */
  async recall<T>(place: string, convert: Convert<T>): Promise<Found<T> | undefined> {
    const { snapshot, marker: latest, refused, logger } = this.#options;
    try {
      const remembered = await snapshot?.read(place);
      const confirmedAt = remembered && latest.vouchesAsOf(remembered.marker);
      if (remembered === undefined || confirmedAt === undefined) return undefined;
      const { stored, marker } = remembered;
      const { value, ...found } = await this.#accept(place, stored, marker, convert, undefined);
      return value === undefined ? undefined : { outcome: 'found', value, ...found, confirmedAt };
    } catch (error) {
      if (error instanceof RefusedRecord) refused(error);
      else logger.warn({ err: error }, 'the snapshot of a published record was not read');
      return undefined;
    }
  }

  /** @throws RefusedRecord unless the value was signed for its place since the floor was raised. */
  async #accept<T>(
    place: string,
    stored: Buffer,
    marker: SignedMarker,
    convert: Convert<T>,
    kept: Kept<T> | undefined,
  ): Promise<Pick<Found<T>, 'digest' | 'sequence'> & { readonly value: T | undefined }> {
    const digest = hash('sha256', stored, 'base64');
    const isSame = kept?.digest === digest;
    // The vault stores sessions, which control-api does not sign.
    if (!place.startsWith(this.#options.names.record('' as RecordName))) {
      if (isSame) return { value: kept.value, digest };
      await this.#options.checkSession?.(place, stored);
      return { value: convert(sessionOf(stored)), digest };
    }
    const { value, sequence } =
      isSame && kept.sequence !== undefined
        ? { value: stored, sequence: kept.sequence }
        : await verifyValue(this.#options.publicKeys, place, stored);
    const converted = isSame ? kept.value : convert(decodeRecord(value));
    // Tombstones are not signed anew: a missing record means the same.
    if (converted !== undefined && sequence < marker.floor)
      throw new RefusedRecord('superseded', 'a record from before the last signing');
    return { value: converted, digest, sequence };
  }

  /**
   * Whether a name is there that control-api has signed with the time at which it ends.
   * @throws AppError `unavailable`
   */
  async namesFormer(key: string): Promise<boolean> {
    const { redis, publicKeys, refused } = this.#options;
    const stored = await redis.get(key).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    if (stored === null) return false;
    const endsAt = await verifyText(publicKeys, 'former application', key, stored);
    if (endsAt === undefined)
      refused(new RefusedRecord('signature', 'a former application without a signature'));
    return endsAt !== undefined && Date.now() < Number(endsAt);
  }

  /** Reads the marker alone, so that a process without traffic knows whether it could serve. */
  async look(): Promise<void> {
    const { redis, names, marker, refused } = this.#options;
    const text = await redis.get(names.signedMarker).catch(() => null);
    await marker.judge(text ?? undefined).catch((error: unknown) => {
      if (!(error instanceof RefusedRecord)) throw error;
      refused(error);
    });
    this.#isFromRedis ||= text !== null;
    this.#wasVouchedFor ||= marker.value !== undefined && marker.vouchesAsOf(marker.value) !== undefined;
  }

  /** That the process knows nothing but its snapshot; undefined once it has read from Redis. */
  async note(): Promise<string | undefined> {
    if (this.#isFromRedis) return undefined;
    await this.look();
    const signedAt = this.#options.snapshot?.signedAt;
    if (this.#isFromRedis || signedAt === undefined) return undefined;
    return `Redis has not been reached; served from the snapshot of ${new Date(signedAt).toISOString()}`;
  }

  async unreadyReason(): Promise<string | undefined> {
    if (!this.#wasVouchedFor) await this.look();
    return this.#wasVouchedFor ? undefined : 'the published configuration has not been seen yet';
  }
}

const notWhole = { outcome: 'unavailable', cause: new Error('the projection is not whole') } as const;

/** Nothing else counts there. */
function sessionOf(stored: Uint8Array): PublishedRecord {
  const record = decodeRecord(stored);
  if (record.record?.$case !== 'application' || record.record.value.session === undefined)
    throw new RefusedRecord('unsigned', 'no session where sessions are');
  return record;
}

/** Counts every refusal and logs one a second at most: requests can cause them. */
export function refusalLog(metrics: PublishedMetrics, logger: Logger): (error: RefusedRecord) => void {
  let quietUntil = 0;
  return (error) => {
    metrics.refused(error.reason);
    if (Date.now() < quietUntil) return;
    quietUntil = Date.now() + 1000;
    logger.error({ err: error }, 'what is published was changed by somebody else than control-api');
  };
}

export function unavailable(cause: unknown): Error {
  if (cause instanceof AppError && cause.code === 'integrity_violation') return cause;
  return new AppError('unavailable', 'The published configuration cannot be read right now.', { cause });
}
