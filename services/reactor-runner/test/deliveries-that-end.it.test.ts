import { randomUUID } from 'node:crypto';

import { DeliveryStore } from '@glovebox/published/delivery-store';
import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import type { EventBody } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { deliveryStory, newSecret } from './delivery-story.ts';
import { until } from './until.ts';

/** contract/webhooks.md#what-became-of-deliveries. */
describe('a delivery that is not attempted any more', () => {
  const story = deliveryStory();
  const { endpoint } = story;
  let store: DeliveryStore;
  let inbox: EventInbox;
  before(() => {
    const { redis, prefix } = story.publisher;
    store = new DeliveryStore(redis, redisNames(prefix));
    inbox = new EventInbox(redis, redisNames(prefix));
  });

  const anEvent = (): EventBody => ({
    id: randomUUID(),
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    tenant_id: story.tenant,
    trace_id: 'trace',
    data: { actor: { type: 'system' } },
  });
  const ask = (event: EventBody, webhookId: string) =>
    inbox.put([{ ...event, target: { webhook_id: webhookId, sending_id: randomUUID() } }]);
  const failsWith = async (webhookId: string, event: EventBody, error: string) => {
    await until('it has failed', async () => (await store.find(webhookId, event.id))?.state === 'failed');
    const attempts = (await store.find(webhookId, event.id))?.attempts ?? [];
    expect(attempts.map((attempt) => attempt.error)).to.deep.equal([error]);
  };
  const keysOf = (webhookId: string) => {
    const { redis, prefix } = story.publisher;
    const names = redisNames(prefix);
    return redis.exists(names.deliveries(webhookId), names.deliveryRecords(webhookId));
  };

  it('has failed when its webhook is disabled meanwhile, and brings back nothing of one that is deleted', async () => {
    const [disabled, deleted] = [randomUUID(), randomUUID()];
    await story.publisher.webhooks(story.tenant, []);
    await ask(anEvent(), deleted);
    const event = anEvent();
    await store.note(disabled, event, 'waiting');
    await ask(event, disabled);
    await failsWith(disabled, event, 'withdrawn');
    await until('both are withdrawn', async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${story.runner.metricsPort}/metrics`)).text();
      return /attempts_total\{kind="event",outcome="withdrawn".*\} 2\n/.test(metrics);
    });
    const { redis, prefix } = story.publisher;
    await until('none is open', async () => (await redis.zcard(`${prefix}:deliveries:open`)) === 0);
    expect(await keysOf(deleted)).to.equal(0);
  });

  it('has failed when too much waits for its webhook, unless it came there before', async () => {
    const hook = endpoint(newSecret());
    await story.publisher.webhooks(story.tenant, [hook]);
    const { redis, prefix } = story.publisher;
    const waiting = Array.from({ length: 100 }, () => [Date.now(), randomUUID()]).flat();
    await redis.zadd(`${prefix}:deliveries:open:${hook.id}`, ...waiting);
    const [asked, delivered] = [anEvent(), anEvent()];
    await store.note(hook.id, delivered, 'delivered');
    await ask(delivered, hook.id);
    await store.note(hook.id, asked, 'waiting');
    await ask(asked, hook.id);
    await failsWith(hook.id, asked, 'no_room');
    await until('all are taken', async () => (await redis.exists(redisNames(prefix).eventsTaken)) === 0);
    expect(await store.find(hook.id, delivered.id)).to.include({ state: 'delivered' });
    expect(story.receiver.received).to.deep.equal([]);
  });
});
