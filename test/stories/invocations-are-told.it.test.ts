import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import type { Answer, Json } from '../harness/api.ts';
import { expectError, reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';
import { transformStory } from '../harness/transform-story.ts';
import { until } from '../harness/until.ts';

/** What code logs and how it fails, over the whole system: its tenant can see it, and nobody else. */
describe('the invocations of code are logged', () => {
  const reactors = reactorStory();
  const proxies = transformStory();

  const list = (path: string, key = reactors.key): Promise<Answer> =>
    reactors.api.send('GET', `${path}/invocations`, { key });
  const told = async (path: string, count: number): Promise<Json[]> => {
    await until(`${count} are told of`, async () => (await list(path)).json.data.length === count);
    return (await list(path)).json.data;
  };

  it('for a reactor: what it logged, with the token that it saw, and where it threw', async () => {
    const token = await reactors.api.token({ type: 'token', data: 'seen' });
    const reactor = await reactors.reactor(`async ({ args }) => {
      console.log('got', args);
      throw new RangeError('wrong ' + args.t);
    }`);
    const answer = await reactors.react(
      reactor,
      { t: `{{${token}}}` },
      { headers: { 'SVC-TRACE-ID': 'order-42' } },
    );
    expectError(answer, 500, /RangeError: wrong seen \(main\.js:3:13\)/);
    const [invocation] = await told(`/reactors/${reactor.id}`, 1);
    const { id, started_at: startedAt, duration_ms: durationMs, log, ...rest } = invocation;
    expect(id).to.match(/^[0-9a-f-]{36}$/);
    expect(Date.parse(startedAt)).to.be.within(Date.now() - 60_000, Date.now());
    expect(durationMs).to.be.a('number');
    expect(log.map(({ level, text }: Json) => [level, text])).to.deep.equal([['info', "got { t: 'seen' }"]]);
    expect(rest).to.deep.equal({
      correlation_id: 'order-42',
      outcome: 'threw',
      error: { name: 'RangeError', message: 'wrong seen', stack: ['module.exports (main.js:3:13)'] },
    });
  });

  it('for a proxy: of each side, newest first, and only those that logged or failed', async () => {
    const proxy = await proxies.api.proxy(proxies.destination.url, {
      request_transform: {
        code: 'module.exports = ({ args }) => { if (args.body.n) console.warn(args.body.n); return args; }',
      },
      response_transform: { code: 'module.exports = () => nowhere;' },
    });
    for (const n of [0, 1]) expect((await proxies.post(proxy, { body: { n } })).status).to.equal(500);
    const invocations = await told(`/proxies/${proxy.id}`, 3);
    const shown = invocations.map(({ side, outcome, error, log }) => [
      side,
      outcome,
      error?.message,
      log.length,
    ]);
    expect(shown).to.deep.equal([
      ['response', 'threw', 'nowhere is not defined', 0],
      ['request', 'returned', undefined, 1],
      ['response', 'threw', 'nowhere is not defined', 0],
    ]);
    const path = `/proxies/${proxy.id}/invocations`;
    const sized = await reactors.api.send('GET', `${path}?size=1`, { key: reactors.key });
    expect(sized.json.data).to.deep.equal(invocations.slice(0, 1));
    for (const size of ['101', 'x', '-1', '1&size=2']) {
      const answer = await reactors.api.send('GET', `${path}?size=${size}`, { key: reactors.key });
      expectError(answer, 400, /must be an integer from 0 to 100/);
    }
  });

  it('for a proxy: that a message cannot hold what the code returned, in the words of the answer', async () => {
    const proxy = await proxies.api.proxy(proxies.destination.url, {
      request_transform: { code: 'module.exports = ({ args }) => args.body;' },
    });
    const results = [
      { headers: { 'x-a': 'line\nbreak' } },
      { headers: { 'x-a': 'a'.repeat(100_000) } },
      { body: { a: 1 }, headers: { 'Content-Type': 'text/plain' } },
    ];
    const said: string[] = [];
    for (const body of results) {
      const answer = await proxies.post(proxy, { body });
      expect(answer.status).to.equal(500);
      said.unshift(answer.json.proxy_error.detail);
    }
    const invocations = await told(`/proxies/${proxy.id}`, results.length);
    expect(invocations.map(({ outcome, error }) => [outcome, error?.message])).to.deep.equal(
      said.map((message) => ['unusable_result', message]),
    );
  });

  it('as none, where there were none', async () => {
    const reactor = await reactors.reactor('() => ({ raw: 1 })');
    await reactors.react(reactor, {});
    const proxy = await proxies.api.proxy(proxies.destination.url);
    for (const path of [`/reactors/${reactor.id}`, `/proxies/${proxy.id}`]) {
      expect((await list(path)).json).to.deep.equal({ data: [] });
    }
  });

  it('only for keys that may read every token of the tenant in plaintext', async () => {
    const system = await sharedSystem();
    const reactor = await reactors.reactor('() => { console.log(1); }');
    await reactors.react(reactor, {});
    await told(`/reactors/${reactor.id}`, 1);
    const proxy = await proxies.api.proxy(proxies.destination.url);
    const application = async (rules: object[]) =>
      (await reactors.api.application({ name: 'reads', type: 'private', permissions: ['token:read'], rules }))
        .key;
    const rule = {
      description: '',
      priority: 1,
      container: '/',
      transform: 'reveal',
      permissions: ['token:read'],
    };
    const other = await anotherTenant(system, 'Log readers');
    const body = { name: 'theirs', type: 'private', rules: [rule] };
    const theirs = await reactors.api.send('POST', '/applications', { key: other.management_api_key, body });
    for (const path of [`/reactors/${reactor.id}`, `/proxies/${proxy.id}`]) {
      for (const rules of [[], [{ ...rule, transform: 'mask' }], [{ ...rule, container: '/pci/' }]]) {
        expectError(await list(path, await application(rules)), 403, /token:read.*reveals/);
      }
      expectError(await list(path, system.dev.management_api_key), 403, /token:read/);
      expectError(await list(path, 'key_1111111111111111111111'), 401, /API key/);
      expectError(await reactors.api.send('GET', `${path}/invocations`), 401, /SVC-API-KEY/);
      expectError(await list(path, theirs.json.key), 404, /There is no/);
      expect((await list(path, await application([rule]))).status).to.equal(200);
    }
    for (const path of [
      `/reactors/${randomUUID()}`,
      `/proxies/${randomUUID()}`,
      '/reactors/x',
      '/proxies/x',
    ]) {
      expectError(await list(path), 404, /There is no/);
    }
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const answer = await reactors.api.send(method, `/proxies/${proxy.id}/invocations`, {
        key: reactors.key,
      });
      expectError(answer, 405, /GET/);
    }
  });

  it('until the proxy or reactor is deleted', async () => {
    const reactor = await reactors.reactor('() => { console.log(1); }');
    await reactors.react(reactor, {});
    await told(`/reactors/${reactor.id}`, 1);
    expect((await reactors.api.manage('DELETE', `/reactors/${reactor.id}`)).status).to.equal(204);
    await until('it is gone', async () => (await list(`/reactors/${reactor.id}`)).status === 404);
  });
});
