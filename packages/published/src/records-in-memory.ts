import type { PublishedRecord } from '@glovebox/protos/published/v1/published';

import type { RecordName } from './keys.ts';
import { type PublishedLookups, lookupsOver } from './published-lookups.ts';
import type { Found, RecordCacheOptions } from './record-cache.ts';

/** Lookups, in the same caches, of unpublished records with which a process warms up. */
export function recordsInMemory(
  records: Readonly<Partial<Record<RecordName, PublishedRecord['record']>>>,
  options: RecordCacheOptions,
): PublishedLookups {
  const names = { record: (name: RecordName) => name, session: (name: RecordName) => `session:${name}` };
  const source: Parameters<typeof lookupsOver>[0] = {
    read: (places, convert) => {
      const [record] = places.flatMap((place) => records[place as RecordName] ?? []);
      const value = record === undefined ? undefined : convert({ version: 1, record });
      return Promise.resolve(value === undefined ? { outcome: 'absent' } : { outcome: 'found', value });
    },
    recall: <T>(): Promise<Found<T> | undefined> => Promise.resolve(undefined),
  };
  return lookupsOver(source, names, options).lookups;
}
