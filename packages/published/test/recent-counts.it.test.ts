import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { KeyUses } from '../src/key-uses.ts';
import { redisNames } from '../src/keys.ts';
import { RecentCounts, keyField, readRecent } from '../src/recent-counts.ts';

const minute = 60_000;

describe('what was used lately', () => {
  const names = redisNames('recent-test');
  const onLost = (error: unknown) => expect.fail(String(error));
  let server: RunningRedis;
  let redis: Redis;
  before(async () => {
    server = await startRedis({ ephemeral: true });
    const url = new Secret(server.url);
    redis = createRedis({
      url,
      connectionName: 'recent-test',
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    await once(redis, 'ready');
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });

  it('is counted by several processes together, for one tenant, and forgotten after an hour', async () => {
    const [tenant, other, proxy, reactor] = Array.from({ length: 4 }, () => randomUUID());
    const now = Date.now();
    for (let process = 0; process < 2; process += 1) {
      await using counts = new RecentCounts({ redis, names, onLost });
      counts.noteInvocation(tenant ?? '', { type: 'proxy', id: proxy ?? '' }, true);
      counts.noteInvocation(tenant ?? '', { type: 'proxy', id: proxy ?? '' }, false);
      counts.noteInvocation(tenant ?? '', { type: 'reactor', id: reactor ?? '' }, false);
      counts.noteInvocation(tenant ?? '', { type: 'proxy' }, true);
      counts.noteInvocation(other ?? '', { type: 'proxy', id: proxy ?? '' }, true);
    }
    const { since, subjects } = await readRecent(redis, names, tenant ?? '', now);
    expect(now - since.getTime()).to.be.within(55 * minute, 60 * minute);
    expect(subjects).to.have.deep.members([
      { subject: { type: 'proxy', id: proxy }, requests: 4, errors: 2 },
      { subject: { type: 'reactor', id: reactor }, requests: 2, errors: 0 },
    ]);
    const later = await readRecent(redis, names, tenant ?? '', now + 65 * minute);
    expect(later.subjects).to.deep.equal([]);
    const keys = await redis.keys(`recent-test:recent-counts:${tenant}:*`);
    for (const key of keys) expect(await redis.pttl(key)).to.be.within(minute, 65 * minute);
  });

  it('of keys is counted where their last use is noted', async () => {
    const tenant = randomUUID();
    {
      await using uses = new KeyUses({ redis, names, onLost });
      for (let n = 0; n < 3; n += 1) uses.note(tenant, 'a-hash');
    }
    const { fields, subjects } = await readRecent(redis, names, tenant);
    expect(fields.get(keyField('a-hash'))).to.equal(3);
    expect(subjects).to.deep.equal([]);
  });
});
