import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { DeliveryStore, mostDeliveries } from '../src/delivery-store.ts';
import { redisNames } from '../src/keys.ts';
import type { EventBody } from '../src/webhook-events.ts';

const anEvent = (): EventBody => ({
  id: randomUUID(),
  type: 'proxy.created',
  timestamp: new Date().toISOString(),
  tenant_id: randomUUID(),
  trace_id: 'trace',
  data: { id: 'a line\nand another', actor: { type: 'system' } },
});
const weekMs = 7 * 24 * 60 * 60_000;
const attempt = (status: number) => ({ at: new Date().toISOString(), duration_ms: 1, status });

describe('what is kept of the deliveries of a webhook', () => {
  let server: RunningRedis;
  let redis: Redis;
  let store: DeliveryStore;
  const webhook = randomUUID();
  before(async () => {
    server = await startRedis({ ephemeral: true });
    const url = new Secret(server.url);
    const onError = () => undefined;
    redis = createRedis({ url, connectionName: 'deliveries-test', commandTimeoutMs: 5000, onError });
    await once(redis, 'ready');
    store = new DeliveryStore(redis, redisNames('deliveries-test'));
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });

  it('is bounded: the latest deliveries, the latest attempts of each, and a time', async () => {
    const first = anEvent();
    for (let status = 500; status < 530; status += 1)
      await store.note(webhook, first, 'retrying', attempt(status));
    const [kept] = await store.latest(webhook, 10);
    expect(kept?.event).to.deep.equal(first);
    expect(kept?.attempts.map(({ status }) => status)).to.deep.equal(
      Array.from({ length: 20 }, (_, at) => 510 + at),
    );
    const others = Array.from({ length: mostDeliveries }, anEvent);
    for (const event of others) await store.note(webhook, event, 'delivered', attempt(200));
    expect(await store.find(webhook, first.id)).to.equal(undefined);
    const names = redisNames('deliveries-test');
    const keys = [names.deliveries(webhook), names.deliveryRecords(webhook)];
    expect(await redis.hlen(keys[1] ?? '')).to.equal(3 * mostDeliveries);
    for (const key of keys) expect(await redis.pttl(key)).to.be.within(1, weekMs);
    // Ids order those of one millisecond.
    const all = (await store.latest(webhook, 1000)).map(({ event }) => event.id);
    expect(all).to.have.members(others.map(({ id }) => id));
    const page = await store.latest(webhook, 10, all[89]);
    expect(page.map(({ event }) => event.id)).to.deep.equal(all.slice(90));
    await store.remove(webhook);
    expect(await redis.keys('deliveries-test*')).to.deep.equal([]);
  });

  it('ends for each event a week after it was first noted, also if others follow it all the time', async () => {
    const [old, fresh, later] = [anEvent(), anEvent(), anEvent()];
    for (const event of [old, fresh]) await store.note(webhook, event, 'failed', attempt(500));
    const names = redisNames('deliveries-test');
    await redis.zincrby(names.deliveries(webhook), -weekMs, old.id);
    await redis.zincrby(names.deliveries(webhook), -weekMs / 2, fresh.id);
    const listed = async () => (await store.latest(webhook, 10)).map(({ event }) => event.id);
    expect(await listed()).to.deep.equal([fresh.id]);
    expect(await store.find(webhook, old.id)).to.equal(undefined);
    expect((await store.find(webhook, fresh.id))?.event).to.deep.equal(fresh);
    await store.note(webhook, later, 'delivered', attempt(200));
    expect(await listed()).to.deep.equal([later.id, fresh.id]);
    expect(await redis.zscore(names.deliveries(webhook), old.id)).to.equal(null);
    expect(await redis.hlen(names.deliveryRecords(webhook))).to.equal(3 * 2);
    await store.remove(webhook);
  });
});
