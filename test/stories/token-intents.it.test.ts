import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };

describe('a token intent', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let key: string;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    key = system.dev.private_api_key;
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const create = (body: unknown, by = key) => api.send('POST', '/token-intents', { key: by, body });

  it('is shown without its data, for a day', async () => {
    const { status, json, headers } = await create({ type: 'card', data: card });
    expect(status).to.equal(201);
    expect(json).to.have.all.keys(
      ...['id', 'tenant_id', 'type', 'fingerprint', 'expires_at', 'created_by', 'created_at'],
    );
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).to.be.closeTo(24 * 3_600_000, 1000);
    expect(headers['location']).to.equal(`/token-intents/${json.id}`);
  });

  it('becomes its value in a proxied request, wherever it is named as an intent', async () => {
    const { id } = (await create({ type: 'card', data: card })).json;
    const proxy = await api.proxy(destination.url);
    const body = {
      number: `{{ token_intent: ${id} | json: '$.data.number' }}`,
      all: `{{token_intent:${id}}}`,
    };
    expect((await api.invoke(proxy.key, 'POST', '', { body })).status).to.equal(200);
    const received = JSON.parse(String(destination.received.at(-1)?.body));
    expect(received.number).to.equal(card.number);
    expect(received.all).to.deep.include({ id, data: card });
    const asToken = await api.invoke(proxy.key, 'POST', '', { body: { a: `{{ ${id} }}` } });
    expect(asToken.status).to.equal(400);
  });

  it('is no token: neither read, listed, found, nor an equal of one', async () => {
    const data = `only an intent ${process.hrtime.bigint()}`;
    const { id, fingerprint } = (await create({ type: 'token', data })).json;
    for (const name of [id, encodeURIComponent(`token_intent:${id}`)])
      for (const method of ['GET', 'DELETE'])
        expect((await api.send(method, `/tokens/${name}`, { key })).status, name).to.equal(404);
    const found = await api.send('POST', '/tokens/search', {
      key,
      body: { query: `fingerprint:${fingerprint}` },
    });
    expect(found.json.pagination.total_items).to.equal(0);
    const listed = await api.send('GET', `/tokens?id=${encodeURIComponent(`token_intent:${id}`)}`, { key });
    expect(listed.json.data).to.deep.equal([]);
    const token = await api.send('POST', '/tokens', {
      key,
      body: { type: 'token', data, deduplicate_token: true },
    });
    expect(token.json).to.include({ fingerprint }).and.to.have.nested.property('_extras.deduplicated', false);
  });

  it('is gone when it is deleted', async () => {
    const { id } = (await create({ type: 'token', data: 1 })).json;
    const remove = () => api.send('DELETE', `/token-intents/${id}`, { key });
    expect((await remove()).status).to.equal(204);
    expect((await remove()).status).to.equal(404);
    const proxy = await api.proxy(destination.url);
    const used = await api.invoke(proxy.key, 'POST', '', { body: { a: `{{ token_intent: ${id} }}` } });
    expect(used.status).to.equal(400);
  });

  it('is refused for what a token is refused for, and for what it cannot have is not asked', async () => {
    const refused = await create({ type: 'card', data: { number: '1' } });
    expect(refused.status).to.equal(400);
    expect(Object.keys(refused.json.errors)).to.deep.equal(['data.number']);
    expect((await create([])).status).to.equal(400);
    expect((await create({ type: 'token' })).status).to.equal(400);
    const own = await create({ id: 'mine', type: 'token', data: 1, expires_at: 'never' });
    expect(own.status).to.equal(201);
    expect(own.json.id).to.not.equal('mine');
  });

  it('needs a key that may create tokens there', async () => {
    const { key: reader } = await api.application({
      name: 'r',
      type: 'private',
      permissions: ['token:read'],
    });
    expect((await create({ type: 'token', data: 1 }, reader)).status).to.equal(403);
    expect((await api.send('POST', '/token-intents', { body: { type: 'token', data: 1 } })).status).to.equal(
      401,
    );
    const { id } = (await create({ type: 'token', data: 1 })).json;
    expect((await api.send('DELETE', `/token-intents/${id}`, { key: reader })).status).to.equal(403);
  });
});
