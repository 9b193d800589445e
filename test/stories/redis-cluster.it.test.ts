import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type RedisCluster, startRedisCluster } from '../harness/redis-cluster.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { type System, startSystem } from '../harness/system.ts';
import { foundEstate } from '../harness/topology-estate.ts';
import { type Traffic, trafficOf } from '../harness/topology-traffic.ts';
import { until } from '../harness/until.ts';

/** Three primaries with a replica each. */
describe('a system on a Redis cluster', function () {
  this.timeout(180_000);
  let cluster: RedisCluster;
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let proxy: Json;
  let webhookId: string;
  let traffic: Traffic;
  let load: SteadyLoad | undefined;
  /** What was acknowledged and has to be there in the end. */
  const sessions = new Set<string>();
  const sentOnce = new Set<string>();

  before(async function () {
    const started = await startRedisCluster();
    if (started === undefined) this.skip();
    cluster = started;
    destination = await startDestination();
    system = await startSystem({ env: { REDIS_URL: cluster.url, RATE_LIMIT_PER_KEY: '1000000' } });
    api = apiOf(system);
    const estate = await foundEstate({ url: system.dev.base_url, tenant: system.dev }, destination);
    proxy = estate.plain;
    const { name, settings } = (await api.manage('GET', '/tenants/self')).json;
    const all = { name, settings: { ...settings, invocation_sampling: '100' } };
    expect((await api.manage('PUT', '/tenants/self', all)).status).to.equal(200);
    const webhook = await api.manage('POST', '/webhooks', {
      name: 'cluster',
      url: `${destination.url}/events`,
      events: ['token.created'],
    });
    webhookId = webhook.json.id;
    traffic = trafficOf(estate);
  });
  after(async () => {
    await load?.end();
    await system?.[Symbol.asyncDispose]();
    await destination?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  const problem = (status: number, text: string, wanted: number) =>
    status === wanted ? undefined : `${status} ${text.slice(0, 300)}`;
  const session = async () => {
    const made = await api.send('POST', '/sessions', { key: system.dev.public_api_key });
    if (made.status !== 201) return problem(made.status, made.text, 201);
    const { session_key, nonce } = made.json;
    const rule = { priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] };
    const body = { nonce, rules: [rule] };
    const { status, text } = await api.send('POST', '/sessions/authorize', {
      key: system.dev.private_api_key,
      body,
    });
    if (status === 200) sessions.add(session_key);
    return problem(status, text, 200);
  };
  const idempotent = async () => {
    const name = randomUUID();
    const headers = { 'SVC-IDEMPOTENCY-KEY': name };
    const { status, text } = await api.invoke(proxy.key, 'POST', '', { headers, body: { once: name } });
    if (status === 200) sentOnce.add(name);
    return problem(status, text, 200);
  };
  const kinds = () => ({ ...traffic.kinds, session, idempotent });

  it('does all that it does on one server', async () => {
    for (const [name, send] of Object.entries(kinds())) expect(await send(), name).to.equal(undefined);
    expect(await traffic.results()).to.deep.equal([]);
    await until('the event arrives', () => destination.received.some(({ url }) => url === '/events'));
    const deliveries = `/webhooks/${webhookId}/deliveries`;
    for (const path of ['/invocations', '/invocations/asynchronous', deliveries]) {
      await until(`there is something at ${path}`, async () => {
        const { status, text, json } = await api.manage('GET', path);
        expect(status, text).to.equal(200);
        return json.data.length > 0;
      });
    }
  });

  it('counts uses and requests for all processes together', async () => {
    const { json: limited } = await api.manage('POST', '/applications', {
      name: 'limited',
      type: 'private',
      permissions: ['token:use'],
      limits: { uses_per_hour: 2, distinct_tokens_per_hour: 2 },
    });
    const id = await api.token({ type: 'token', data: 'x' });
    const statuses: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const sent = { key: limited.key, body: { card: `{{ ${id} }}` } };
      statuses.push((await api.invoke(proxy.key, 'POST', '', sent)).status);
    }
    expect(statuses).to.deep.equal([200, 200, 429]);
    const names = await Promise.all(cluster.nodes.map(({ client }) => client.keys('*')));
    // Without Redis each process would count for itself, and nobody would notice.
    expect(names.flat().filter((name) => name.includes(':rate:gateway:key'))).not.to.deep.equal([]);
  });

  it('publishes all again when the primary that had it has lost its data', async () => {
    const { key } = await api.proxy(destination.url);
    const primary = await cluster.primaryOf('{published}');
    await primary.client.flushall();
    sessions.clear();
    await until('it is there again', async () => {
      const answer = await api.invoke(key, 'POST', '', { body: {} });
      // Never unknown, however little is there.
      expect(answer.status, answer.text).to.be.oneOf([200, 503]);
      const names = await primary.client.keys('*{published}*');
      return answer.status === 200 && names.some((name) => name.endsWith(':signed-marker'));
    });
  });

  it('fails no request while slots move', async () => {
    load = new SteadyLoad({ kinds: kinds() }, { callers: 4, pauseMs: 20 });
    await load.goesOn(2);

    for (const tag of ['published', 'sessions', 'reactor-invocations', system.dev.tenant_id]) {
      await cluster.moveSlotOf(`{${tag}}`);
      await load.goesOn(1);
    }
    await load.end();
    expect(load.failures).to.deep.equal([]);
    expect(await traffic.results()).to.deep.equal([]);
  });

  it('loses nothing that it has acknowledged when a primary is killed under load', async () => {
    load = new SteadyLoad({ kinds: kinds() }, { callers: 4, pauseMs: 20 });
    await load.goesOn(2);
    const primary = await cluster.primaryOf('{reactor-invocations}');
    await primary.kill();
    await load.goesOn(2);
    await primary.revive();
    await cluster.whole();
    await until(
      'all is served again',
      async () => {
        const from = load!.failures.length;
        await load!.goesOn(1);
        return load!.failures.length === from;
      },
      60_000,
    );
    await load.end();
    // What is refused says so, and nothing else fails.
    for (const failure of load.failures) expect(failure).to.match(/: (409|50[234]) /);
    // Code whose beginning is not known for certain is not run again, and its result says so.
    const results = await traffic.results();
    expect(results.filter((text) => !text.includes('was interrupted'))).to.deep.equal([]);
    for (const key of sessions) expect((await api.send('GET', '/tokens', { key })).status).to.equal(200);
    const bodies = destination.received.map(({ body }) => body.toString());
    for (const name of sentOnce)
      expect(
        bodies.filter((body) => body.includes(name)),
        name,
      ).to.have.length(1);
  });
});
