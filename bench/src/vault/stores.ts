import { hashKey } from '@glovebox/access/api-key';
import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { applicationRecord, redisNames } from '@glovebox/published/keys';

import { testPublication } from '../../../test/harness/test-publication.ts';

export const redisPrefix = 'bench';
export const apiKey = 'key_of_the_bench';

/** A private Postgres and a Redis that holds one published application, which may do everything with tokens. */
export interface Stores extends AsyncDisposable {
  readonly postgres: RunningPostgres;
  readonly redis: RunningRedis;
}

export async function startStores(): Promise<Stores> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres({ ephemeral: true }));
  const redis = stack.use(await startRedis({ ephemeral: true }));
  await publishApplication(redis.url);
  const owned = stack.move();
  return { postgres, redis, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function publishApplication(url: string): Promise<void> {
  const redis = createRedis({
    url: new Secret(url),
    connectionName: 'bench',
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  await new Promise((resolve) => redis.once('ready', resolve));
  const names = redisNames(redisPrefix);
  const value = {
    id: '00000000-0000-4000-8000-000000000001',
    tenantId: '00000000-0000-4000-8000-000000000002',
    type: 'private',
    permissions: [],
    rules: [
      {
        priority: 1,
        container: '/',
        conditions: [],
        transform: 'reveal',
        permissions: ['token:create', 'token:use'],
      },
    ],
    session: undefined,
  };
  const record = { version: 1, record: { $case: 'application', value } } as const;
  await testPublication.put(redis, names, applicationRecord(hashKey(apiKey)), record);
  await testPublication.mark(redis, names);
  await redis.quit();
}
