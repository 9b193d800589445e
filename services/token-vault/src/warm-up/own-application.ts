import { randomUUID } from 'node:crypto';

import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import { applicationRecord } from '@glovebox/published/keys';
import type { PublishedRecords } from '@glovebox/published/published-records';
import { recordsInMemory } from '@glovebox/published/records-in-memory';

/** An application that only this process knows, and a tenant that exists nowhere else. */
export interface OwnApplication {
  readonly tenantId: string;
  readonly apiKey: string;
  readonly published: PublishedRecords;
}

const cache = { maxEntries: 100, freshMs: 60_000, maxStaleMs: 60_000, retryAfterMs: 1000 };

export function ownApplication(): OwnApplication {
  const tenantId = randomUUID();
  const apiKey = generateApiKey();
  const rule = {
    priority: 1,
    transform: 'reveal',
    permissions: ['token:use', 'token:read', 'token:create'],
    container: '/',
    conditions: [],
  };
  const value = {
    id: randomUUID(),
    tenantId,
    type: 'private',
    permissions: [],
    rules: [rule],
    session: undefined,
  };
  const records = { [applicationRecord(hashKey(apiKey))]: { $case: 'application', value } } as const;
  const lookups = recordsInMemory(records, cache);
  return {
    tenantId,
    apiKey,
    published: {
      ...lookups,
      lookups,
      namedUntilLately: () => Promise.resolve(false),
      tenantOfTrial: () => Promise.resolve(undefined),
      attempted: () => Promise.resolve(),
      unreadyReason: () => Promise.resolve(undefined),
      readinessNote: () => Promise.resolve(undefined),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  };
}
