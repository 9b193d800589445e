import { hash } from 'node:crypto';

import type { Redis } from '@glovebox/platform/db/redis';
import { scanNames } from '@glovebox/platform/db/scan-names';
import { type RecordName, type RedisNames, anyRecord } from '@glovebox/published/keys';
import {
  type Marker,
  type SignedMarker,
  decodeMarker,
  encodeMarker,
  isOlder,
  signMarker,
  verifyMarker,
} from '@glovebox/published/marker';
import { signValue } from '@glovebox/published/record-signature';

import { keepFormerApplications } from './former-applications.ts';
import type { PublicationKeys } from './publication-keys.ts';
import { type NamedRecord, isTombstone, latestRecords } from './record.ts';
import { redisCommand } from './redis-command.ts';
import {
  type Script,
  markScript,
  overwriteScript,
  publishScript,
  removeScript,
  replaceMarkerScript,
  resignScript,
  runScript,
  writeScript,
} from './scripts.ts';
import { verifiedValue } from './verified-value.ts';

/** Another publisher has set its fencing token, or Redis was emptied since ours was set. */
export class FencedPublisher extends Error {
  override readonly name = 'FencedPublisher';
}

/** What some entries of the outbox, one after the other, publish. */
export interface Publication {
  readonly installationId: string;
  readonly records: readonly NamedRecord[];
  /** The marker before these entries, and after them. */
  readonly before: number;
  readonly after: number;
}

/** Longer than any reader caches a record. */
const tombstoneLifetimeMs = 7 * 24 * 3600 * 1000;

/** Records that one script removes. */
const removedAtOnce = 1000;

/** The published state in Redis, and every way in which control-api changes it. */
export class Projection {
  readonly #redis: Redis;
  readonly #names: RedisNames;
  readonly #keys: PublicationKeys;
  /** The latest marker that this process has seen or signed, and its text. */
  #latest: { readonly marker: SignedMarker; readonly text: string } | undefined;
  #sequence = 0;

  constructor(redis: Redis, names: RedisNames, keys: PublicationKeys) {
    this.#redis = redis;
    this.#names = names;
    this.#keys = keys;
  }

  /** @throws AppError `unavailable` */
  async ping(): Promise<void> {
    await redisCommand(() => this.#redis.ping());
  }

  /** Undefined when the projection is not whole, or not as control-api has signed it. */
  async marker(): Promise<SignedMarker | undefined> {
    const [plain = null, text] = await redisCommand(() =>
      this.#redis.mget(this.#names.marker, this.#names.signedMarker),
    );
    const known = decodeMarker(plain);
    if (known === undefined || !text) return undefined;
    const marker = await verifyMarker(this.#keys.public, this.#names.signedMarker, text);
    // A release without signatures has published since: what it wrote is not signed.
    if (marker === undefined || encodeMarker(marker) !== encodeMarker(known)) return undefined;
    if (this.#latest === undefined || !isOlder(marker, this.#latest.marker)) this.#latest = { marker, text };
    this.#sequence = Math.max(this.#sequence, marker.sequence);
    return marker;
  }

  /** Whether the marker in Redis was signed by the key that signs now. */
  get isSignedByCurrentKey(): boolean {
    return this.#latest?.text.includes(` ${this.#keys.signing.keyId.toString('hex')} `) ?? false;
  }

  async fence(token: string): Promise<void> {
    await redisCommand(() => this.#redis.set(this.#names.turn, token));
  }

  async publish(token: string, publication: Publication): Promise<'published' | 'not-whole'> {
    const { installationId, before, after } = publication;
    const records = latestRecords(publication.records);
    await keepFormerApplications(this.#redis, this.#names, this.#keys, records);
    const sequence = this.#nextSequence();
    const values = await this.#signAll(sequence, records);
    const known = this.#latest?.marker;
    const signed = await this.#sign({
      installationId,
      lastEntry: Math.max(after, known?.installationId === installationId ? known.lastEntry : 0),
      sequence,
      floor: known?.floor ?? 0,
      floorEntry: known?.floorEntry ?? 0,
    });
    const outcome = await this.#run(
      publishScript,
      token,
      [
        this.#names.marker,
        this.#names.signedMarker,
        ...records.map((record) => this.#names.record(record.name)),
      ],
      [
        installationId,
        before,
        after,
        this.#names.changes,
        records.map((record) => record.name).join('\n'),
        tombstoneLifetimeMs,
        signed.text,
        ...records.flatMap((record, position) => [values[position]!, isTombstone(record) ? 1 : 0]),
      ],
    );
    if (outcome === 'not-whole') return outcome;
    this.#latest = signed;
    for (const number of outcome as readonly number[])
      await this.#overwriteForged(token, records[number - 1]!, values[number - 1]!);
    return 'published';
  }

  /** Overwrites a newer version that control-api has not signed. Readers refuse such a record anyway. */
  async #overwriteForged(token: string, record: NamedRecord, value: Buffer): Promise<void> {
    const key = this.#names.record(record.name);
    const present = await redisCommand(() => this.#redis.getBuffer(key));
    if (present === null || (await verifiedValue(this.#keys.public, key, present)) !== undefined) return;
    const lifetimeMs = isTombstone(record) ? tombstoneLifetimeMs : 0;
    const args = [hash('sha1', present), value, lifetimeMs, this.#names.changes, record.name];
    await this.#run(overwriteScript, token, [key], args);
  }

  /** Readers take Redis for unavailable from here on, until `mark`. */
  async unmark(token: string): Promise<void> {
    await this.#run(removeScript, token, [this.#names.marker, this.#names.signedMarker], []);
  }

  /** @returns the names in Redis */
  async write(token: string, records: readonly NamedRecord[]): Promise<readonly string[]> {
    if (records.length === 0) return [];
    const keys = records.map((record) => this.#names.record(record.name));
    await this.#run(writeScript, token, keys, await this.#signAll(this.#nextSequence(), records));
    return keys;
  }

  /** The names in Redis of all records. */
  stored(): Promise<Set<string>> {
    return redisCommand(async () => {
      const found = new Set<string>();
      for await (const keys of scanNames(this.#redis, this.#names.allRecords, 1000))
        for (const key of keys) found.add(key);
      return found;
    });
  }

  /** Removes records by their names in Redis. */
  async remove(token: string, stored: ReadonlySet<string>): Promise<void> {
    const keys = [...stored];
    for (let from = 0; from < keys.length; from += removedAtOnce)
      await this.#run(removeScript, token, keys.slice(from, from + removedAtOnce), []);
  }

  /**
   * @param floor below the sequence of every record that was written; of none, if absent
   * @param changed what is known to have changed; any other record may have changed too.
   */
  async mark(token: string, marker: Marker, changed: readonly RecordName[], floor = 0): Promise<void> {
    const signed = await this.#sign({
      ...marker,
      sequence: this.#nextSequence(),
      floor,
      floorEntry: marker.lastEntry,
    });
    await this.#run(
      markScript,
      token,
      [this.#names.marker, this.#names.signedMarker],
      [encodeMarker(marker), signed.text, this.#names.changes, [...changed, anyRecord].join('\n')],
    );
    this.#latest = signed;
  }

  /** A floor for what is signed from now on. */
  nextFloor(): number {
    return this.#nextSequence();
  }

  /** Signs the same state anew: the marker, and records that are as they were. */
  async resign(token: string, marker: SignedMarker, records: readonly NamedRecord[] = []): Promise<void> {
    const sequence = this.#nextSequence();
    const signed = await this.#sign({ ...marker, sequence });
    await this.#run(
      resignScript,
      token,
      [this.#names.signedMarker, ...records.map((record) => this.#names.record(record.name))],
      [signed.text, ...(await this.#signAll(sequence, records))],
    );
    this.#latest = signed;
  }

  /**
   * Signs the marker anew while the database is away: nothing can be published meanwhile. Only the latest one that this
   * process knows, and only while it is still there.
   */
  async renewWithoutDatabase(isDue: (marker: SignedMarker) => boolean): Promise<void> {
    const known = this.#latest;
    if (known === undefined || !isDue(known.marker)) return;
    const { text, marker } = await this.#sign(known.marker);
    const outcome = await redisCommand(() =>
      runScript(this.#redis, replaceMarkerScript, [this.#names.signedMarker], [known.text, text]),
    );
    if (outcome === 'replaced') this.#latest = { text, marker };
  }

  /** Of two signatures the later one has the larger number, whichever process made it. */
  #nextSequence(): number {
    this.#sequence = Math.max(Date.now(), this.#sequence + 1);
    return this.#sequence;
  }

  #signAll(sequence: number, records: readonly NamedRecord[]): Promise<Buffer[]> {
    const { signing } = this.#keys;
    return Promise.all(
      records.map(({ name, value }) => signValue(signing, this.#names.record(name), sequence, value)),
    );
  }

  async #sign(marker: Omit<SignedMarker, 'signedAt'>): Promise<{ marker: SignedMarker; text: string }> {
    const signed = { ...marker, signedAt: Date.now() };
    return { marker: signed, text: await signMarker(this.#keys.signing, this.#names.signedMarker, signed) };
  }

  async #run(
    script: Script,
    token: string,
    keys: readonly string[],
    args: readonly (string | Buffer | number)[],
  ): Promise<unknown> {
    const outcome = await redisCommand(() =>
      runScript(this.#redis, script, [this.#names.turn, ...keys], [token, ...args]),
    );
    if (outcome === 'fenced') throw new FencedPublisher('another publisher has set its fencing token');
    return outcome;
  }
}
