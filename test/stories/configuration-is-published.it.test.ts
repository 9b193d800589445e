import { readRunning } from '@glovebox/local/run-journal';
import { expect } from 'chai';
import { Redis } from 'ioredis';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** Well before services would look again without an announcement. */
const soonMs = 5000;

/** docs/architecture.md#invariants. A system of its own, since its stores and services are taken away. */
describe('published configuration', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let redis: Redis;

  before(async () => {
    system = await startSystem();
    api = apiOf(system);
    destination = await startDestination();
    redis = new Redis(redisUrlOf(system), { maxRetriesPerRequest: null });
  });
  after(async () => {
    redis.disconnect();
    await system[Symbol.asyncDispose]();
    await destination[Symbol.asyncDispose]();
  });

  const pidOf = (name: string) => system.dev.processes.find((process) => process.name === name)!.pid;
  const invoke = (key: string) => api.invoke(key, 'GET', '');
  const update = (proxy: Json, url: string) =>
    api.manage('PUT', `/proxies/${proxy.id}`, { name: proxy.name, destination_url: url });

  it('is acted on by the gateway once the management request has succeeded', async () => {
    for (let round = 0; round < 20; round += 1) {
      const proxy = await api.proxy(`${destination.url}/before`);
      expect((await invoke(proxy.key)).status).to.equal(200);
      expect((await update(proxy, `${destination.url}/after-${round}`)).status).to.equal(200);
      await until(
        'the change is acted on',
        async () => {
          await invoke(proxy.key);
          return destination.received.at(-1)?.url === `/after-${round}`;
        },
        soonMs,
      );
      expect((await api.manage('DELETE', `/proxies/${proxy.id}`)).status).to.equal(204);
      await until('the deletion is acted on', async () => (await invoke(proxy.key)).status === 404, soonMs);
    }
  });

  it('forgets a regenerated key and a deleted application', async () => {
    const { key: proxyKey } = await api.proxy(destination.url);
    const application = await api.application({ name: 'a', type: 'private', permissions: ['token:use'] });
    const use = (key: string) => api.invoke(proxyKey, 'GET', '', { key });
    expect((await use(application.key)).status).to.equal(200);
    const regenerated = await api.manage('POST', `/applications/${application.id}/regenerate`);
    expect(regenerated.status).to.equal(200);
    await until('the old key is refused', async () => (await use(application.key)).status === 401, soonMs);
    expect((await use(regenerated.json.key)).status).to.equal(200);
    expect((await api.manage('DELETE', `/applications/${application.id}`)).status).to.equal(204);
    await until(
      'the application is gone',
      async () => (await use(regenerated.json.key)).status === 401,
      soonMs,
    );
  });

  it('is rebuilt within 5 s of FLUSHALL, and no request fails that the gateway knows how to serve', async () => {
    const known = await api.proxy(destination.url);
    const unseen = await api.proxy(destination.url);
    expect((await invoke(known.key)).status).to.equal(200);
    await redis.flushall();
    const flushedAt = Date.now();
    let served = 0;
    await until(
      'the projection is whole again',
      async () => {
        expect((await invoke(known.key)).status).to.equal(200);
        served += 1;
        return (await redis.keys('*:marker')).length > 0;
      },
      5000,
    );
    expect(Date.now() - flushedAt).to.be.below(5000);
    expect(served).to.be.above(0);
    expect((await invoke(unseen.key)).status).to.equal(200);
  });

  it('is rebuilt when Redis holds what another installation published', async () => {
    const proxy = await api.proxy(destination.url);
    const [marker] = await redis.keys('*:marker');
    await redis.set(marker!, '00000000-0000-4000-8000-000000000000 999999');
    const foreign = marker!.replace(/marker$/, 'record:proxy:0000');
    await redis.set(foreign, 'not ours');
    await until(
      'it is ours again',
      async () => (await redis.get(marker!))?.startsWith('00000000') === false,
      5000,
    );
    await until('the foreign record is gone', async () => (await redis.exists(foreign)) === 0, 5000);
    expect((await invoke(proxy.key)).status).to.equal(200);
  });

  it('is served from what was last known while Redis is away, and management says that it cannot publish', async () => {
    const proxy = await api.proxy(destination.url);
    expect((await invoke(proxy.key)).status).to.equal(200);
    process.kill(pidOf('redis'), 'SIGSTOP');
    try {
      for (let i = 0; i < 5; i += 1) expect((await invoke(proxy.key)).status).to.equal(200);
      const refused = await api.manage('POST', '/proxies', { name: 'x', destination_url: destination.url });
      expect(refused.status).to.equal(503);
    } finally {
      process.kill(pidOf('redis'), 'SIGCONT');
    }
    await until('management works again', async () => (await update(proxy, destination.url)).status === 200);
  });

  it('is served while control-api is dead, and control-api is started again', async () => {
    const proxy = await api.proxy(destination.url);
    expect((await invoke(proxy.key)).status).to.equal(200);
    const pid = pidOf('control-api');
    process.kill(pid, 'SIGKILL');
    for (let i = 0; i < 20; i += 1) expect((await invoke(proxy.key)).status).to.equal(200);
    await until('management is back', async () => (await api.manage('GET', '/proxies')).status === 200);
    expect(pidOf('control-api')).to.not.equal(pid);
  });

  it('fails closed: with the vault away a request with a token is refused and the destination gets nothing', async () => {
    const id = await api.token({ type: 'token', data: 'secret' });
    const proxy = await api.proxy(destination.url);
    const before = destination.received.length;
    process.kill(pidOf('token-vault'), 'SIGSTOP');
    try {
      const answer = await api.invoke(proxy.key, 'POST', '', { body: { a: `{{${id}}}` } });
      expect(answer.status).to.equal(503);
      expect(answer.json.proxy_error.status).to.equal(503);
      expect(destination.received).to.have.length(before);
      expect((await api.invoke(proxy.key, 'POST', '', { body: { a: 1 } })).status).to.equal(200);
    } finally {
      process.kill(pidOf('token-vault'), 'SIGCONT');
    }
    await until('the token can be used again', async () => {
      return (await api.invoke(proxy.key, 'POST', '', { body: { a: `{{${id}}}` } })).status === 200;
    });
    expect(String(destination.received.at(-1)?.body)).to.equal('{"a":"secret"}');
  });
});

/** Where the system's own Redis is: what the tools of `npm start` keep for themselves. */
function redisUrlOf({ stateDir }: System): string {
  const { system } = readRunning(stateDir) ?? {};
  if (system === undefined) throw new Error('the system is not running');
  return system.redisUrl;
}
