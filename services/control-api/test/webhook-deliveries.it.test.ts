import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { createPostgres } from '@glovebox/platform/db/postgres';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { DeliveryStore } from '@glovebox/published/delivery-store';
import { redisNames } from '@glovebox/published/keys';
import type { EventBody } from '@glovebox/published/webhook-events';
import { expect } from 'chai';

import type { ControlConfig } from '../src/config.ts';
import { webhookDeliveries } from '../src/webhooks/deliveries.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

const names = redisNames('asked-deliveries');
const anEvent = (): EventBody => ({
  id: randomUUID(),
  type: 'proxy.created',
  timestamp: new Date().toISOString(),
  tenant_id: randomUUID(),
  trace_id: 'trace',
  data: { actor: { type: 'system' } },
});

/** contract/webhooks.md#what-became-of-deliveries. */
describe('a delivery that somebody asks for, and that cannot be made', () => {
  let server: RunningRedis;
  let redis: Redis;
  let other: Redis;
  let store: DeliveryStore;
  const connected = async (commandTimeoutMs: number) => {
    const connectionName = 'asked-deliveries-test';
    const onError = () => undefined;
    const connection = createRedis({
      url: new Secret(server.url),
      connectionName,
      commandTimeoutMs,
      onError,
    });
    await once(connection, 'ready');
    return connection;
  };
  before(async () => {
    server = await startRedis({ ephemeral: true });
    redis = await connected(1000);
    other = await connected(5000);
    store = new DeliveryStore(other, names);
  });
  after(async () => {
    redis.disconnect();
    other.disconnect();
    await server.stop();
  });
  const target = () => ({ webhook_id: randomUUID(), sending_id: randomUUID() });
  const refusal = (sent: Promise<unknown>): Promise<unknown> =>
    sent.then(
      () => 'sent',
      ({ code }: { code: unknown }) => code,
    );

  it('keeps the state of before when there is no room for it, and a new one has failed', async () => {
    const full = webhookDeliveries(redis, names, 1);
    const [known, fresh, to] = [anEvent(), anEvent(), target()];
    await store.note(to.webhook_id, known, 'delivered');
    for (const event of [known, fresh]) expect(await refusal(full.send(event, to))).to.equal('unavailable');
    const states = (await store.latest(to.webhook_id, 10)).map(({ event, state }) => [event.id, state]);
    expect(states).to.deep.include.members([
      [known.id, 'delivered'],
      [fresh.id, 'failed'],
    ]);
  });

  it('keeps the state of before when Redis writes what it has not answered to in time', async () => {
    const deliveries = webhookDeliveries(redis, names, 1000);
    const [event, to] = [anEvent(), target()];
    await store.note(to.webhook_id, event, 'delivered');
    await other.client('PAUSE', 60_000, 'WRITE');
    expect(await refusal(deliveries.send(event, to))).to.equal('unavailable');
    await other.client('UNPAUSE');
    // On the same connection, so it is done after all that was sent before.
    await redis.set('asked-deliveries-test', '1');
    expect(await store.find(to.webhook_id, event.id)).to.include({ state: 'delivered' });
    expect(await other.llen(names.events)).to.equal(0);
  });
});

/** contract/webhooks.md#what-became-of-deliveries. */
describe('a request for a delivery', () => {
  const configured = async (more: Partial<ControlConfig> = {}) => ({ ...(await newInstallation()), ...more });
  const webhookOf = async (api: TestApi): Promise<string> => {
    const body = { name: 'asked', url: 'https://example.com/hook', events: ['reactor.completed'] };
    // A busy machine's Redis may be late for the first command.
    return until(20_000, async () => {
      const made = await api.send('POST /webhooks', { body });
      expect(made.status, made.text).to.equal(201);
      return made.body.id;
    });
  };
  const logged = async ({ config }: TestApi, id: string) => {
    const query = 'SELECT operation FROM logs WHERE entity_id = $1';
    const rows = await inDatabase<{ operation: string }>(config.databaseUrl.reveal(), query, [id]);
    return rows.map(({ operation }) => operation);
  };

  it('is in the log when it is carried out, and not when there is no room', async () => {
    const config = await configured({ waitingEvents: 1 });
    await using api = await startTestApi({ sealer: reversingSealer }, config);
    const id = await webhookOf(api);
    const tested = await api.send(`POST /webhooks/${id}/test`);
    expect([tested.status, tested.body.detail]).to.deep.equal([503, 'Too many events wait to be delivered.']);
    const [listed] = (await api.send(`GET /webhooks/${id}/deliveries`)).body.data;
    const resent = await api.send(`POST /webhooks/${id}/deliveries/${listed?.id}/resend`);
    expect(resent.status).to.equal(503);
    expect(await logged(api, id)).to.deep.equal(['create']);
  });

  it('waits for no publication', async () => {
    const config = await configured();
    await using api = await startTestApi({ sealer: reversingSealer }, config);
    const id = await webhookOf(api);
    await using publisher = createPostgres({
      url: config.databaseUrl,
      applicationName: 'a-stuck-publisher',
      maxConnections: 1,
      connectTimeoutMs: 5000,
      onError: () => undefined,
      statementTimeoutMs: 60_000,
    });
    await publisher.query('hold', 'SELECT pg_advisory_lock(4711, 1)');
    const answers = [await api.send(`POST /webhooks/${id}/test`)];
    answers.push(await api.send(`POST /webhooks/${id}/deliveries/${answers[0]?.body.id}/resend`));
    await publisher.query('release', 'SELECT pg_advisory_unlock(4711, 1)');
    for (const { status, text } of answers) expect(status, text).to.equal(200);
    expect(await logged(api, id)).to.have.members(['create', 'test', 'resend']);
  });
});
