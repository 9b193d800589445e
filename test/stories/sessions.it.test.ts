import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sharedSystem, type System } from '../harness/system.ts';
import { until } from '../harness/until.ts';

describe('sessions', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const create = async (): Promise<Json> => {
    const { status, json } = await api.send('POST', '/sessions', { key: system.dev.public_api_key });
    expect(status).to.equal(201);
    return json;
  };
  const authorize = (body: unknown, key = system.dev.private_api_key) =>
    api.send('POST', '/sessions/authorize', { key, body });
  const rule = (container: string, ...permissions: string[]) => ({
    priority: 1,
    container,
    transform: 'reveal',
    permissions,
  });
  const authorized = async (grant: object): Promise<string> => {
    const { session_key, nonce } = await create();
    expect((await authorize({ nonce, ...grant })).status).to.equal(200);
    return session_key;
  };

  it('are made with an empty body of any kind, and answered as the contract says', async () => {
    for (const headers of [
      {},
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'x/y' },
    ]) {
      for (const path of ['/sessions', '/sessions/']) {
        const key = system.dev.public_api_key;
        const { status, json } = await api.send('POST', path, { key, headers, body: '' });
        expect(status).to.equal(201);
        expect(json).to.have.all.keys('session_key', 'nonce', 'expires_at');
        expect(json.nonce).to.match(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
        expect(Date.parse(json.expires_at) - Date.now()).to.be.within(160_000, 181_000);
      }
    }
  });

  it('are another for each visitor, whatever idempotency key is sent', async () => {
    const key = system.dev.public_api_key;
    const keys = new Set<string>();
    for (const name of ['checkout', 'checkout', 'x'.repeat(256)]) {
      const answer = await api.send('POST', '/sessions', { key, headers: { 'SVC-IDEMPOTENCY-KEY': name } });
      expect([answer.status, answer.headers['svc-idempotent-replay']]).to.deep.equal([201, undefined]);
      keys.add(answer.json.session_key);
    }
    expect(keys.size).to.equal(3);
  });

  it('can do nothing before they are authorized, and are authorized with 200 and no body', async () => {
    const { session_key: key, nonce } = await create();
    const id = await api.token({ type: 'token', data: 'seen by a session' });
    expect((await api.send('GET', `/tokens/${id}`, { key })).status).to.equal(403);
    expect((await api.send('POST', '/tokens', { key, body: { type: 'token', data: 1 } })).status).to.equal(
      403,
    );
    const answer = await authorize({ nonce, rules: [rule('/', 'token:read')] });
    expect([answer.status, answer.text, answer.headers['content-length']]).to.deep.equal([200, '', '0']);
    await until(
      'the grant is known',
      async () => (await api.send('GET', `/tokens/${id}`, { key })).status === 200,
    );
    expect((await api.send('GET', `/tokens/${id}`, { key })).json.data).to.equal('seen by a session');
  });

  it('read, list, search, tokenize, detokenize, use proxies and invoke reactors', async () => {
    const container = `/sessions/${Date.now()}/`;
    const id = await api.token({ type: 'token', data: 'inside', containers: [container] });
    const outside = await api.token({ type: 'token', data: 'outside' });
    const all = ['token:read', 'token:search', 'token:create', 'token:update', 'token:delete', 'token:use'];
    const key = await authorized({ rules: [rule(container, ...all)] });
    expect(
      (await api.send('GET', '/tokens', { key })).json.data.map((token: Json) => token.id),
    ).to.deep.equal([id]);
    const found = await api.send('POST', '/tokens/search', {
      key,
      body: { query: `container:"${container}*"` },
    });
    expect(found.json.pagination.total_items).to.equal(1);
    const tokenized = await api.send('POST', '/tokenize', {
      key,
      body: { type: 'token', data: 'x', containers: [container] },
    });
    expect(tokenized.status).to.equal(200);
    expect(
      (await api.send('POST', '/tokenize', { key, body: { type: 'token', data: 'x' } })).status,
    ).to.equal(403);
    const detokenized = await api.send('POST', '/detokenize', { key, body: { value: `{{ ${id} }}` } });
    expect(detokenized.json).to.deep.equal({ value: 'inside' });

    const proxy = await api.proxy(destination.url);
    const sent = await api.invoke(proxy.key, 'POST', '/', { key, body: { value: `{{ ${id} }}` } });
    expect(sent.status).to.equal(200);
    expect(JSON.parse(destination.received.at(-1)?.body.toString() ?? 'null')).to.deep.equal({
      value: 'inside',
    });
    const refused = await api.invoke(proxy.key, 'POST', '/', { key, body: { value: `{{ ${outside} }}` } });
    expect(refused.status).to.equal(403);

    const formula = await api.manage('POST', '/reactor-formulas', {
      name: 'echo',
      type: 'private',
      code: 'module.exports = async (req) => ({ raw: req.args })',
      configuration: [],
      request_parameters: [],
    });
    const reactor = await api.manage('POST', '/reactors', {
      name: 'echo',
      formula: { id: formula.json.id },
      configuration: {},
    });
    const body = { args: { value: `{{ ${id} }}` } };
    const reacted = await api.send('POST', `/reactors/${reactor.json.id}/react`, { key, body });
    expect(reacted.json).to.deep.equal({ raw: { value: 'inside' } });
    const { status, json } = await api.send('POST', `/reactors/${reactor.json.id}/react-async`, {
      key,
      body,
    });
    expect(status).to.equal(202);
    const result = `/reactors/${reactor.json.id}/results/${json.asyncReactorRequestId}`;
    await until('there is a result', async () => (await api.send('GET', result, { key })).status !== 404);
    expect((await api.send('GET', result, { key })).json).to.deep.equal({ raw: { value: 'inside' } });
  });

  it('never reach the management plane, and neither make nor authorize others', async () => {
    const key = await authorized({ permissions: ['token:use'] });
    for (const path of [
      '/applications',
      '/applications/key',
      '/proxies',
      '/tenants/self',
      '/permissions',
      '/logs',
    ]) {
      expect((await api.send('GET', path, { key })).status, path).to.equal(401);
    }
    expect((await api.send('POST', '/sessions', { key })).status).to.equal(403);
    const { nonce } = await create();
    expect((await authorize({ nonce, permissions: ['token:use'] }, key)).status).to.equal(403);
  });

  it('end at the moment at which they expire', async () => {
    const id = await api.token({ type: 'token', data: 1 });
    const expiresAt = Date.now() + 2500;
    const key = await authorized({
      rules: [rule('/', 'token:read')],
      expires_at: new Date(expiresAt).toISOString(),
    });
    const proxy = await api.proxy(destination.url);
    const read = async () => (await api.send('GET', `/tokens/${id}`, { key })).status;
    expect(await read()).to.equal(200);
    await until('it has expired', async () => (await read()) === 401);
    expect(Date.now()).to.be.within(expiresAt, expiresAt + 1000);
    expect((await api.invoke(proxy.key, 'GET', '/', { key })).status).to.equal(401);
  });

  it('are authorized once, even by many requests at the same time', async () => {
    const { nonce } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => authorize({ nonce, permissions: ['token:use'] })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([200, ...Array<number>(9).fill(409)]);
  });

  it('belong to their tenant', async () => {
    const other = await anotherTenant(system, 'sessions elsewhere');
    const made = await api.send('POST', '/applications', {
      key: other.management_api_key,
      body: { name: 'elsewhere', type: 'private', permissions: ['token:use'] },
    });
    const { nonce } = await create();
    const foreign = await authorize({ nonce, permissions: ['token:use'] }, made.json.key);
    expect(foreign.status).to.equal(404);
    expect((await authorize({ nonce, permissions: ['token:use'] })).status).to.equal(200);
  });

  it('are granted no more than the application holds', async () => {
    const { key } = await api.application({ name: 'narrow', type: 'private', permissions: ['token:use'] });
    const { nonce } = await create();
    const more = await authorize({ nonce, permissions: ['token:use', 'token:read'] }, key);
    expect(more.status).to.equal(403);
    expect(more.json.errors).to.have.all.keys('permissions');
    expect((await authorize({ nonce, permissions: ['token:use'] }, key)).status).to.equal(200);
  });

  it('report every problem of a request at once, and survive hostile ones', async () => {
    const { status, json } = await authorize({
      permissions: ['log:read'],
      rules: [{ conditions: [{}] }],
      expires_at: 7,
    });
    expect(status).to.equal(400);
    expect(Object.keys(json.errors)).to.include.members([
      'nonce',
      'permissions[0]',
      'rules[0].conditions[0].attribute',
      'rules[0].priority',
      'expires_at',
    ]);
    const hostile: unknown[] = [
      '{',
      '[]',
      'null',
      '"x"',
      '',
      { nonce: { toString: 1 }, permissions: { length: 2 } },
      { nonce: 'x'.repeat(101), permissions: ['token:use'] },
      { nonce: 'x', rules: Array(101).fill(rule('/', 'token:use')) },
      { nonce: 'x', permissions: ['token:use'], expires_at: '0000-00-00' },
      `{"nonce":${'['.repeat(100_000)}`,
      `{"__proto__":{"nonce":"x"},"constructor":1,"nonce":"x"}`,
    ];
    for (const body of hostile) {
      const answer = await authorize(body);
      expect(answer.status, JSON.stringify(body).slice(0, 80)).to.equal(400);
      expect(answer.json).to.include({ status: 400 });
    }
    for (const nonce of ['nobody', '\0', '*', '\n']) {
      expect((await authorize({ nonce, permissions: ['token:use'] })).status).to.equal(404);
    }
    const typed = await api.send('POST', '/sessions/authorize', {
      key: system.dev.private_api_key,
      headers: { 'Content-Type': 'text/plain' },
      body: '{}',
    });
    expect(typed.status).to.equal(415);
    for (const path of ['/sessions', '/sessions/authorize']) {
      const get = await api.send('GET', path, { key: system.dev.private_api_key });
      expect([get.status, get.headers['allow']]).to.deep.equal([405, 'POST']);
      expect((await api.send('POST', path)).status).to.equal(401);
    }
    for (const key of [system.dev.private_api_key, system.dev.management_api_key]) {
      expect((await api.send('POST', '/sessions', { key })).status).to.equal(403);
    }
  });
});
