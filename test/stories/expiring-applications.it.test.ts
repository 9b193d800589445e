import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

describe('expiring applications', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const byContainer = (value: string, transform = 'reveal') => ({
    priority: 1,
    conditions: [{ attribute: 'CONTAINER', operator: 'STARTS_WITH', value }],
    transform,
    permissions: ['token:read'],
  });
  const expiring = (rules: readonly object[], lifetimeMs = 600_000) => ({
    name: 'for a visitor',
    type: 'expiring',
    rules,
    expires_at: new Date(Date.now() + lifetimeMs).toISOString(),
  });
  /** A private application that may make them and reads one container in plain. */
  const makerFor = (container: string): Promise<Json> =>
    api.application({
      name: 'backend',
      type: 'private',
      can_create_expiring_applications: true,
      rules: [{ priority: 1, container, transform: 'reveal', permissions: ['token:read', 'token:create'] }],
    });
  const make = (key: string, body: object) => api.send('POST', '/applications', { key, body });

  it('read what their conditions let them, as these say, and nothing else', async () => {
    const container = `/visitors/${Date.now()}/`;
    const inside = await api.token({ type: 'token', data: 'inside', containers: [`${container}one/`] });
    const outside = await api.token({ type: 'token', data: 'outside', containers: ['/visitors/other/'] });
    const maker = await makerFor(container);
    const made = await make(maker.key, expiring([byContainer(`${container}one/`)]));
    expect(made.status, made.text).to.equal(201);
    const { key } = made.json;
    expect((await api.send('GET', `/tokens/${inside}`, { key })).json.data).to.equal('inside');
    expect((await api.send('GET', `/tokens/${outside}`, { key })).status).to.equal(403);
    const listed = await api.send('GET', '/tokens', { key });
    expect(listed.json.data.map(({ id }: Json) => id)).to.deep.equal([inside]);
    const shown = await api.send('POST', '/detokenize', { key, body: { value: `{{ ${inside} }}` } });
    expect(shown.json).to.deep.equal({ value: 'inside' });
    const proxy = await api.proxy(destination.url);
    const refused = [
      await api.send('POST', '/tokens', { key, body: { type: 'token', data: 1, containers: [container] } }),
      await api.send('DELETE', `/tokens/${inside}`, { key }),
      await api.send('POST', '/tokens/search', { key, body: { query: '' } }),
      await api.send('POST', '/sessions', { key }),
      await api.send('POST', '/sessions/authorize', {
        key,
        body: { nonce: 'x', permissions: ['token:read'] },
      }),
      await make(key, expiring([byContainer(`${container}one/`)])),
      await api.send('GET', '/applications', { key }),
      await api.invoke(proxy.key, 'POST', '/', { key, body: {} }),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal(refused.map(() => 403));
  });

  it('are refused more than who makes them holds', async () => {
    const container = `/visitors/${Date.now()}/`;
    const { key } = await makerFor(container);
    const { status, json } = await make(key, expiring([byContainer('/visitors/')]));
    expect(status).to.equal(403);
    expect(json.errors).to.deep.equal({
      'rules[0].permissions': ['token:read is more than the application itself holds'],
    });
  });

  it('are dead at every door from the moment at which they expire', async () => {
    const id = await api.token({ type: 'token', data: 'soon unseen' });
    const made = await api.manage('POST', '/applications', expiring([byContainer('/')], 2500));
    const { key, expires_at } = made.json;
    const proxy = await api.proxy(destination.url);
    const doors = () =>
      Promise.all([
        api.send('GET', `/tokens/${id}`, { key }),
        api.send('GET', '/applications/key', { key }),
        api.invoke(proxy.key, 'POST', '/', { key, body: {} }),
      ]);
    expect((await doors()).map(({ status }) => status)).to.deep.equal([200, 200, 403]);
    await until('it has expired', () => Date.now() >= Date.parse(expires_at));
    expect((await doors()).map(({ status }) => status)).to.deep.equal([401, 401, 401]);
  });

  it('end with the application that has made them', async () => {
    const container = `/visitors/${Date.now()}/`;
    const id = await api.token({ type: 'token', data: 'x', containers: [container] });
    const maker = await makerFor(container);
    const { key } = (await make(maker.key, expiring([byContainer(container)]))).json;
    expect((await api.send('GET', `/tokens/${id}`, { key })).status).to.equal(200);
    expect((await api.manage('DELETE', `/applications/${maker.id}`)).status).to.equal(204);
    await until('it is told', async () => (await api.send('GET', `/tokens/${id}`, { key })).status === 401);
  });

  it('are logged as who has read', async () => {
    const id = await api.token({ type: 'token', data: 'x' });
    const { key, id: actor } = (await api.manage('POST', '/applications', expiring([byContainer('/')]))).json;
    await api.send('GET', `/tokens/${id}`, { key });
    const { json } = await api.manage('GET', `/logs?entity_type=token&entity_id=${id}`);
    expect(json.data[0]).to.include({ operation: 'read', actor_id: actor, actor_type: 'application' });
  });
});
