import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Answer, type Sent, apiOf, send } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** contract/proxies.md#selecting-a-proxy and contract/proxies.md#ephemeral-proxies. */
describe('a proxy that is named by its destination', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const to = (url: string, path = '', sent: Sent = {}, method = 'POST') =>
    api.send(method, `/proxy${path}`, {
      key: system.dev.private_api_key,
      ...sent,
      headers: { 'SVC-PROXY-URL': url, ...sent.headers },
    });
  const expectWrapped = (answer: Answer, status: number, detail: RegExp) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json.proxy_error).to.include({ status });
    expect(answer.text).to.match(detail);
    expect(answer.headers).to.not.have.property('svc-proxy-destination-status');
  };

  it('forwards a request with its tokens’ data, and tells the destination’s status', async () => {
    const token = await api.token({ type: 'token', data: '4242' });
    destination.answer = (_received, response) => response.writeHead(418).end('tea');
    const sent = { body: { pan: `{{ ${token} }}` }, headers: { Authorization: 'Bearer d' } };
    const answer = await to(`${destination.url}/api?own=1`, '/charges?ref=1', sent);
    expect(answer.status).to.equal(418);
    expect(answer.text).to.equal('tea');
    expect(answer.headers['svc-proxy-destination-status']).to.equal('418');
    expect(answer.headers['bt-proxy-destination-status']).to.equal('418');
    expect(answer.headers['bt-trace-id']).to.equal(answer.headers['svc-trace-id']);
    const [received] = destination.received;
    expect(received).to.include({ method: 'POST', url: '/api/charges?own=1&ref=1' });
    expect(received?.body.toString()).to.equal('{"pan":"4242"}');
    expect(received?.headers['authorization']).to.equal('Bearer d');
    const names = Object.keys(received?.headers ?? {});
    expect(names.filter((name) => /^(svc|bt)-/.test(name))).to.deep.equal(['svc-trace-id']);
  });

  it('may be named as existing clients name it, and every method is its own', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const headers = { 'BT-PROXY-URL': destination.url, 'BT-API-KEY': system.dev.private_api_key };
      const answer = await api.send(method, '/proxy/x', { headers });
      expect(answer.status, answer.text).to.equal(200);
      expect(destination.received.at(-1)).to.include({ method, url: '/x' });
    }
  });

  it('is ignored beside the key of a proxy, which goes by its own destination', async () => {
    const { key } = await api.proxy(`${destination.url}/own`);
    expect((await to(`${destination.url}/other`, '', { headers: { 'SVC-PROXY-KEY': key } })).status).to.equal(
      200,
    );
    expect((await to('no url', `?svc-proxy-key=${key}`)).status).to.equal(200);
    expect(destination.received.map(({ url }) => url)).to.deep.equal(['/own', '/own']);
    expectWrapped(
      await to(destination.url, '', { headers: { 'SVC-PROXY-KEY': 'unknown' } }),
      404,
      /no proxy/,
    );
  });

  it('is not there for who has no key, or one that may not use tokens', async () => {
    expectWrapped(await to(destination.url, '', { headers: {}, key: '' }), 401, /SVC-API-KEY/);
    expectWrapped(await to(destination.url, '', { key: 'key_1111111111111111111111' }), 401, /not valid/);
    for (const key of [system.dev.management_api_key, system.dev.public_api_key]) {
      expectWrapped(await to(destination.url, '', { key }), 403, /token:use/);
    }
    const missing = await api.send('POST', '/proxy', { key: system.dev.private_api_key });
    expectWrapped(missing, 400, /SVC-PROXY-URL/);
    expect(destination.received).to.have.length(0);
  });

  for (const url of [
    'http://example.org',
    'https://10.0.0.1',
    'https://[::ffff:10.0.0.1]',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa.1',
    'https://user:password@example.org',
    'https://example.org/#x',
    'file:///etc/passwd',
    'https://',
    `https://example.org/${'a'.repeat(400)}`,
    '',
  ]) {
    it(`does not go to ${url.slice(0, 60) || '(nothing)'}`, async () => {
      expectWrapped(await to(url), 400, /SVC-PROXY-URL/);
    });
  }

  it('cannot be left by a path', async () => {
    expectWrapped(await to(`${destination.url}/api`, '/..%2fadmin'), 400, /segment/);
    expect(destination.received).to.have.length(0);
  });

  it('may end the connection to its destination, and say nothing else of it', async () => {
    const close = { headers: { 'SVC-PROXY-CONNECTION': 'close', 'SVC-PROXY-KEEP-ALIVE': 'timeout=5' } };
    expect((await to(destination.url, '', close)).status).to.equal(200);
    expect(destination.received[0]?.headers).to.include({ connection: 'close' });
    expect(destination.received[0]?.headers).to.not.have.any.keys('keep-alive', 'svc-proxy-keep-alive');
    for (const value of ['upgrade', 'close, authorization']) {
      const answer = await to(destination.url, '', { headers: { 'SVC-PROXY-CONNECTION': value } });
      expectWrapped(answer, 400, /SVC-PROXY-CONNECTION/);
    }
    expect(destination.received).to.have.length(1);
  });

  it('can be turned off by a tenant for itself', async () => {
    const other = await anotherTenant(system, 'no ephemeral proxies');
    const manage = (method: string, path: string, body: object) =>
      send(api.base, method, path, { key: other.management_api_key, body });
    const application = { name: 'u', type: 'private', permissions: ['token:use'] };
    const { key } = (await manage('POST', '/applications', application)).json;
    expect((await to(destination.url, '', { key })).status).to.equal(200);
    const set = (value: string) =>
      manage('PUT', '/tenants/self', { name: 't', settings: { disable_ephemeral_proxy: value } });
    expect((await set('true')).status).to.equal(200);
    await until('it is turned off', async () => (await to(destination.url, '', { key })).status === 403);
    expectWrapped(await to(destination.url, '', { key }), 403, /turned off/);
    expect((await to(destination.url)).status).to.equal(200);
    expect((await set('false')).status).to.equal(200);
    await until('it is turned on', async () => (await to(destination.url, '', { key })).status === 200);
  });

  /** contract/destinations.md#egress-policy-of-a-tenant. */
  it('goes only where the egress policy of its tenant lets it: off, report, enforce', async () => {
    const other = await anotherTenant(system, 'with an egress policy');
    const manage = (method: string, path: string, body?: object) =>
      send(api.base, method, path, { key: other.management_api_key, body });
    const application = { name: 'u', type: 'private', permissions: ['token:use'] };
    const { key, id } = (await manage('POST', '/applications', application)).json;
    const proxy = (await manage('POST', '/proxies', { name: 'saved', destination_url: destination.url }))
      .json;
    const saved = () => send(api.base, 'POST', '/proxy', { key, headers: { 'SVC-PROXY-KEY': proxy.key } });
    const { host } = new URL(destination.url);
    const set = (policy: object) => manage('PUT', '/tenants/self/egress-policy', policy);
    const logged = async () =>
      (await manage('GET', '/logs?entity_type=egress')).json.data as Record<string, unknown>[];

    expect((await to(destination.url, '', { key })).status).to.equal(200);
    expect((await set({ mode: 'report', destinations: ['api.example.com'] })).status).to.equal(200);
    await until('it is reported', async () => {
      expect((await saved()).status).to.equal(200);
      return (await logged()).length > 0;
    });
    const [entry] = await logged();
    expect(entry).to.include({
      entity_type: 'egress',
      entity_id: proxy.id,
      operation: 'egress',
      outcome: 'allowed',
      reason: 'egress_policy',
      actor_id: id,
      message: `Proxy made a request to ${host}, which is not allowed`,
    });

    await set({ mode: 'enforce', destinations: ['api.example.com'] });
    await until('it is refused', async () => (await saved()).status === 403);
    const before = destination.received.length;
    expectWrapped(await saved(), 403, /destination_not_allowed/);
    expectWrapped(
      await to(destination.url, '', { key, body: { pan: '{{ 1 }}' } }),
      403,
      /destination_not_allowed/,
    );
    expect(destination.received).to.have.length(before);
    await until('it is logged', async () => (await logged()).some(({ outcome }) => outcome === 'denied'));

    await set({ mode: 'enforce', destinations: [host], ephemeral: false });
    await until('the host is allowed', async () => (await saved()).status === 200);
    expectWrapped(await to(destination.url, '', { key }), 403, /SVC-PROXY-URL/);
    expect((await to(destination.url)).status).to.equal(200);
  });
});

/** Issue 4, points 6 and 7: what an operator can turn off. */
describe('a system without aliases and without ephemeral proxies', () => {
  let system: System;
  let destination: Destination;

  before(async () => {
    system = await startSystem({ env: { BT_ALIASES: 'false', EPHEMERAL_PROXIES: 'false' } });
    destination = await startDestination();
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  it('knows the service’s own names alone, and passes no alias on', async () => {
    const api = apiOf(system);
    const { key } = await api.proxy(destination.url);
    const { private_api_key: apiKey, management_api_key: managementKey } = system.dev;
    const aliases = { 'BT-API-KEY': apiKey, 'BT-PROXY-KEY': key, 'BT-TRACE-ID': 'theirs' };
    expect((await api.send('GET', '/proxy', { headers: aliases })).status).to.equal(400);
    expect(
      (await api.send('GET', '/tenants/self', { headers: { 'BT-API-KEY': managementKey } })).status,
    ).to.equal(401);
    const managed = await api.send('GET', '/tenants/self', { key: managementKey, headers: aliases });
    expect(managed.status).to.equal(200);
    const answer = await api.invoke(key, 'GET', `/x?bt-proxy-key=${key}&a=1`, { headers: aliases });
    expect(answer.status, answer.text).to.equal(200);
    for (const { headers } of [managed, answer]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('bt-'))).to.deep.equal([]);
      expect(headers['svc-trace-id']).to.be.a('string').and.not.equal('theirs');
    }
    const [received] = destination.received;
    expect(received?.url).to.equal('/x?a=1');
    expect(Object.keys(received?.headers ?? {}).filter((name) => name.startsWith('bt-'))).to.deep.equal([]);
  });

  it('forwards to no destination that a caller names', async () => {
    const before = destination.received.length;
    const answer = await apiOf(system).send('GET', '/proxy', {
      key: system.dev.private_api_key,
      headers: { 'SVC-PROXY-URL': destination.url },
    });
    expect(answer.status).to.equal(403);
    expect(answer.json.proxy_error.detail).to.match(/turned off/);
    expect(destination.received).to.have.length(before);
  });
});
