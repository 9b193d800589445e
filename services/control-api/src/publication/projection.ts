import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type RecordName, type RedisNames, anyRecord, redisNames } from '@glovebox/published/keys';
import { type Marker, decodeMarker, encodeMarker } from '@glovebox/published/marker';

import { type NamedRecord, applicationNamedBy, isTombstone } from './record.ts';
import { type Script, markScript, publishScript, removeScript, runScript, writeScript } from './scripts.ts';

/** Another publisher has set its fencing token, or Redis was emptied since ours was set. */
export class FencedPublisher extends Error {
  override readonly name = 'FencedPublisher';
}

export interface Publication {
  readonly installationId: string;
  readonly records: readonly NamedRecord[];
  /** The marker before this entry, and after it. */
  readonly before: number;
  readonly after: number;
}

/** Longer than any reader caches a record. */
const tombstoneLifetimeMs = 7 * 24 * 3600 * 1000;

/** No code runs for longer. */
const longestRunMs = 3_600_000;

/** The published state in Redis, and every way in which control-api changes it. */
export class Projection {
  readonly #redis: Redis;
  readonly #names: RedisNames;
  /** Holds the fencing token of the publisher that may write; the writes of any other are refused. */
  readonly #fencingKey: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#names = redisNames(prefix);
    this.#fencingKey = `${prefix}:turn`;
  }

  /** @throws AppError `unavailable` */
  async ping(): Promise<void> {
    await this.#ask(() => this.#redis.ping());
  }

  /** Undefined when the projection is not whole. */
  async marker(): Promise<Marker | undefined> {
    return decodeMarker(await this.#ask(() => this.#redis.get(this.#names.marker)));
  }

  async fence(token: string): Promise<void> {
    await this.#ask(() => this.#redis.set(this.#fencingKey, token));
  }

  async publish(token: string, publication: Publication): Promise<'published' | 'not-whole'> {
    const { installationId, records, before, after } = publication;
    await this.#keepFormerApplications(records);
    const outcome = await this.#run(
      publishScript,
      token,
      [this.#names.marker, ...records.map((record) => this.#names.record(record.name))],
      [
        installationId,
        before,
        after,
        this.#names.changes,
        records.map((record) => record.name).join('\n'),
        tombstoneLifetimeMs,
        ...records.flatMap((record) => [record.value, isTombstone(record) ? 1 : 0]),
      ],
    );
    return outcome === 'published' ? 'published' : 'not-whole';
  }

  /**
   * Running code acts as the application of its version, and the vault does not take the runner's word for which one that is.
   * What is written is true whether or not the publication succeeds: the owner names that application now.
   */
  async #keepFormerApplications(records: readonly NamedRecord[]): Promise<void> {
    const owners = records.filter((record) => applicationNamedBy(record.value) !== undefined);
    if (owners.length === 0) return;
    const keys = owners.map(({ name }) => this.#names.record(name));
    const published = await this.#ask(() => this.#redis.mgetBuffer(keys));
    for (const [position, { name, value }] of owners.entries()) {
      const former = formerIn(published[position]);
      if (former === '' || former === applicationNamedBy(value)) continue;
      const key = this.#names.formerApplication(name, former);
      await this.#ask(() => this.#redis.set(key, '', 'PX', longestRunMs));
    }
  }

  /** Readers take Redis for unavailable from here on, until `mark`. */
  async unmark(token: string): Promise<void> {
    await this.#run(removeScript, token, [this.#names.marker], []);
  }

  async write(token: string, records: readonly NamedRecord[]): Promise<void> {
    if (records.length === 0) return;
    const keys = records.map((record) => this.#names.record(record.name));
    await this.#run(
      writeScript,
      token,
      keys,
      records.map((record) => record.value),
    );
  }

  /** Removes every record but those named. */
  async keepOnly(token: string, names: ReadonlySet<RecordName>): Promise<void> {
    const kept = new Set([...names].map((name) => this.#names.record(name)));
    let cursor = '0';
    do {
      const at = cursor;
      const [next, found] = await this.#ask(() =>
        this.#redis.scan(at, 'MATCH', this.#names.allRecords, 'COUNT', 1000),
      );
      const leftovers = found.filter((key) => !kept.has(key));
      if (leftovers.length > 0) await this.#run(removeScript, token, leftovers, []);
      cursor = next;
    } while (cursor !== '0');
  }

  /** @param changed what is known to have changed; any other record may have changed too. */
  async mark(token: string, marker: Marker, changed: readonly RecordName[]): Promise<void> {
    await this.#run(
      markScript,
      token,
      [this.#names.marker],
      [encodeMarker(marker), this.#names.changes, [...changed, anyRecord].join('\n')],
    );
  }

  async #run(
    script: Script,
    token: string,
    keys: readonly string[],
    args: readonly (string | Buffer | number)[],
  ): Promise<unknown> {
    const outcome = await this.#ask(() =>
      runScript(this.#redis, script, [this.#fencingKey, ...keys], [token, ...args]),
    );
    if (outcome === 'fenced') throw new FencedPublisher('another publisher has set its fencing token');
    return outcome;
  }

  async #ask<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } catch (error) {
      throw new AppError('unavailable', 'The store of published records cannot be reached.', {
        cause: error,
      });
    }
  }
}

/** Empty for none, and for a damaged record, which will be replaced. */
function formerIn(published: Buffer | null | undefined): string {
  try {
    return (published && applicationNamedBy(published)) ?? '';
  } catch {
    return '';
  }
}
