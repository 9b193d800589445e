import { createRedis } from '@glovebox/platform/db/redis';
import type { PublishedRecord } from '@glovebox/protos/published/v1/published';
import { decodeRecord } from '@glovebox/published/codec';
import { type RecordName, redisNames } from '@glovebox/published/keys';
import { type Marker, decodeMarker } from '@glovebox/published/marker';

import type { ControlConfig } from '../../src/config.ts';

/** What a reader would find in Redis. */
export interface Seen {
  readonly marker: Marker | undefined;
  /** By name, tombstones left out. */
  readonly records: ReadonlyMap<string, PublishedRecord>;
  readonly tombstones: readonly string[];
}

export interface ProjectionEyes extends Disposable {
  see(): Promise<Seen>;
  find(name: RecordName): Promise<PublishedRecord | undefined>;
  /** Removes all that this installation has in Redis. */
  flush(): Promise<void>;
  command(name: string, ...args: (string | Buffer | number)[]): Promise<unknown>;
}

export async function openEyes(config: ControlConfig): Promise<ProjectionEyes> {
  const redis = createRedis({
    url: config.redisUrl,
    connectionName: 'test',
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  const names = redisNames(config.redisPrefix);
  const keysOf = (pattern: string) => redis.keys(pattern);
  const find = async (name: RecordName) => {
    const value = await redis.getBuffer(names.record(name));
    return value === null ? undefined : decodeRecord(value);
  };
  return {
    async see() {
      const records = new Map<string, PublishedRecord>();
      const tombstones: string[] = [];
      const keys = await keysOf(names.allRecords);
      for (let start = 0; start < keys.length; start += 1000) {
        const part = keys.slice(start, start + 1000);
        const values = await redis.mgetBuffer(part);
        for (const [i, key] of part.entries()) {
          const name = key.slice(names.record('' as RecordName).length);
          const value = values[i];
          const record = value ? decodeRecord(value) : undefined;
          if (record?.record?.$case === 'tombstone') tombstones.push(name);
          else if (record !== undefined) records.set(name, record);
        }
      }
      return { marker: decodeMarker(await redis.get(names.marker)), records, tombstones };
    },
    find,
    async flush() {
      const keys = await keysOf(`${config.redisPrefix}:*`);
      if (keys.length > 0) await redis.del(...keys);
    },
    command: (name, ...args) => redis.call(name, ...args),
    [Symbol.dispose]: () => redis.disconnect(),
  };
}
