import { randomUUID } from 'node:crypto';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { proxyRecord, redisNames, tenantRecord } from '@glovebox/published/keys';
import { emptyProxy } from '@glovebox/published/records';

import { testPublication } from '../../../test/harness/test-publication.ts';

/** A Redis in which proxies are published, each with one of the transforms. */
export interface PublishedProxies extends AsyncDisposable {
  readonly redis: RunningRedis;
  readonly prefix: string;
  /** Of a transform's name, what its proxy is called by. */
  readonly keyHashOf: (name: string) => string;
}

const prefix = 'bench';
const tenantId = '00000000-0000-4000-8000-000000000002';

/** @param transforms code by name */
export async function publishProxies(
  transforms: Readonly<Record<string, string>>,
): Promise<PublishedProxies> {
  await using stack = new AsyncDisposableStack();
  const running = stack.use(await startRedis({ ephemeral: true }));
  const redis = createRedis({
    url: new Secret(running.url),
    connectionName: 'bench',
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  await new Promise((resolve) => redis.once('ready', resolve));
  const names = redisNames(prefix);
  const tenant = { id: tenantId, settings: {}, egressPolicy: undefined };
  const record = { version: 1, record: { $case: 'tenant', value: tenant } } as const;
  await testPublication.put(redis, names, tenantRecord(tenantId), record);
  for (const [name, code] of Object.entries(transforms)) {
    const proxy = { version: 1, record: { $case: 'proxy', value: proxyWith(code) } } as const;
    await testPublication.put(redis, names, proxyRecord(keyHashOf(name)), proxy);
  }
  await testPublication.mark(redis, names);
  await redis.quit();
  const owned = stack.move();
  return { redis: running, prefix, keyHashOf, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const keyHashOf = (name: string) => `hash of ${name}`;

/** Without a configuration, which only a vault could open. */
function proxyWith(requestTransformCode: string) {
  return {
    ...emptyProxy,
    id: randomUUID(),
    tenantId,
    name: 'bench',
    destinationUrl: 'https://example.com',
    requireAuth: true,
    requestTransformCode,
  };
}
