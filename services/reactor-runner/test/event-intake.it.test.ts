import { randomUUID } from 'node:crypto';

import { createPatientRedis } from '@glovebox/platform/db/redis';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { createMetrics } from '@glovebox/platform/telemetry/metrics';
import { Secret } from '@glovebox/platform/values/secret';
import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import type { EventBody, WebhookEvent } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import { createDeliveryMetrics } from '../src/deliveries/delivery-metrics.ts';
import { openDeliveryQueue } from '../src/deliveries/delivery-queue.ts';
import { OpenDeliveries } from '../src/deliveries/open-deliveries.ts';
import { deliveryStory, newSecret } from './delivery-story.ts';
import { isSigned } from './receiver.ts';
import { until } from './until.ts';

/** docs/adr/0036. */
describe('events of other services', () => {
  const story = deliveryStory();
  const eventOf = (type: WebhookEvent, data: EventBody['data'] = {}, tenant = story.tenant): EventBody => ({
    id: randomUUID(),
    type,
    timestamp: new Date().toISOString(),
    tenant_id: tenant,
    trace_id: 'trace-1',
    data,
  });
  const names = () => redisNames(story.publisher.prefix);
  const inbox = () => new EventInbox(story.publisher.redis, names());
  const bodies = () => story.receiver.received.map(({ text }) => JSON.parse(text) as { event: EventBody });

  it('are delivered to the endpoints that want them, signed, with the name of who acted', async () => {
    const secret = newSecret();
    const hook = story.endpoint(secret, { events: ['proxy.created', 'token.expired'] });
    await story.publisher.webhooks(story.tenant, [hook]);
    const id = await story.publisher.applicationNamed(story.tenant, 'till');
    const events = [
      eventOf('proxy.created', { id: 'p', actor: { id, type: 'application' } }),
      eventOf('proxy.deleted', { id: 'unwanted' }),
      eventOf('token.expired', { id: 't', actor: { type: 'system' } }),
      eventOf('token.expired', { id: 'stranger' }, randomUUID()),
    ];
    expect(await inbox().put(events)).to.equal(4);
    await story.told(2);
    expect(story.receiver.received.every((one) => isSigned(secret, one))).to.equal(true);
    const told = bodies().map(({ event }) => event);
    const [created, , expired] = events as [EventBody, EventBody, EventBody];
    expect(told).to.have.deep.members([
      { ...created, data: { id: 'p', actor: { id, type: 'application', name: 'till' } } },
      expired,
    ]);
    await until('nothing is left', async () => {
      return (await story.publisher.redis.exists(names().events, names().eventsTaken)) === 0;
    });
  });

  it('of a process that died before it sent them are sent by another', async () => {
    await story.publisher.webhooks(story.tenant, [
      story.endpoint(newSecret(), { events: ['proxy.updated'] }),
    ]);
    const event = eventOf('proxy.updated', { id: 'p' });
    await story.publisher.redis.zadd(names().eventsTaken, Date.now() - 1, JSON.stringify(event));
    await story.told(1);
    expect(bodies()[0]?.event).to.deep.equal(event);
  });

  it('take no room once they could not be put into the queue', async () => {
    const { redis, prefix } = story.publisher;
    const open = new OpenDeliveries(redis, redisNames(prefix), { open: 10, openPerEndpoint: 1 });
    const url = new Secret('redis://127.0.0.1:1');
    const away = createPatientRedis({ url, connectionName: 'away', onError: () => undefined });
    const queue = openDeliveryQueue({
      redis: away,
      prefix: `${prefix}:bull`,
      waitReplicas: 0,
      onError: () => undefined,
      open,
      attempts: 1,
      firstPauseMs: 1,
      metrics: createDeliveryMetrics(createMetrics('test'), open),
      logger: createLogger({ service: 'test', level: 'silent' }),
    });
    const webhookId = randomUUID();
    const delivery = {
      kind: 'event',
      tenantId: story.tenant,
      webhookId,
      event: eventOf('proxy.created'),
    } as const;
    const failure: unknown = await queue.add(delivery).catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    expect(await open.openOf(webhookId)).to.equal(0);
    expect(await open.admit('another', webhookId)).to.equal(true);
    await open.end('another', webhookId);
    away.disconnect();
  });

  it('that find no room are counted each, and logged now and then', async () => {
    const { redis, prefix } = story.publisher;
    const open = new OpenDeliveries(redis, redisNames(`${prefix}-full`), { open: 0, openPerEndpoint: 1 });
    const lines: string[] = [];
    const registry = createMetrics('test');
    const own = createPatientRedis({
      url: new Secret('redis://127.0.0.1:1'),
      connectionName: 'unused',
      onError: () => undefined,
    });
    const queue = openDeliveryQueue({
      redis: own,
      prefix: `${prefix}-full`,
      waitReplicas: 0,
      onError: () => undefined,
      open,
      attempts: 1,
      firstPauseMs: 1,
      metrics: createDeliveryMetrics(registry, open),
      logger: createLogger({
        service: 'test',
        level: 'warn',
        destination: { write: (line) => lines.push(line) },
      }),
    });
    const webhookId = randomUUID();
    for (let i = 0; i < 5; i += 1)
      await queue.add({ kind: 'event', tenantId: story.tenant, webhookId, event: eventOf('token.read') });
    expect(lines.filter((line) => line.includes('too much waits'))).to.have.length(1);
    expect(await registry.metrics()).to.match(/^glovebox_runner_deliveries_lost_total\{reason="limit".* 5$/m);
    own.disconnect();
  });
});
