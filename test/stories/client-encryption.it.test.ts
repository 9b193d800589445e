import { expect } from 'chai';

import { anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { encrypt, encryptedHeader } from '../harness/encrypt.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, sharedSystem } from '../harness/system.ts';
import { expectProblem } from '../harness/transform-story.ts';

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '123' };
const number = "{{ encrypted | json: '$.data.number' }}";

describe('encryption by clients', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let management: string;
  let key: string;
  let clientKey: Json;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    management = system.dev.management_api_key;
    key = system.dev.private_api_key;
    clientKey = (await api.send('POST', '/keys', { key: management })).json;
  });
  after(() => api.send('DELETE', `/keys/${clientKey.id}`, { key: management }));
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const received = (): Json => JSON.parse(String(destination.received.at(-1)?.body));
  const headerOf = async (data: unknown, type = 'card') => ({
    'SVC-ENCRYPTED': encryptedHeader({ type, encrypted: await encrypt(clientKey, data) }),
  });

  it('begins with a key, whose public half is shown until it is deleted', async () => {
    const made = await api.send('POST', '/keys', { key: management, body: { encoding: 'PEM' } });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.json;
    expect(made.headers['location']).to.equal(`/keys/${id}`);
    expect(made.json.public_key_pem).to.match(/^-----BEGIN PUBLIC KEY-----/);
    expect(made.text).to.not.match(/PRIVATE|"d"/);
    const got = await api.send('GET', `/keys/${id}/`, { key: management });
    expect(got.json).to.deep.equal(made.json);
    const listed = await api.send('GET', '/keys?size=1', { key: management });
    expect(listed.json.data).to.deep.equal([made.json]);
    const body = { type: 'token', encrypted: await encrypt(made.json, 'x') };
    expect((await api.send('POST', '/tokens', { key, body })).status).to.equal(201);
    expect((await api.send('DELETE', `/keys/${id}`, { key: management })).status).to.equal(204);
    expect((await api.send('GET', `/keys/${id}`, { key: management })).status).to.equal(404);
    expect((await api.send('POST', '/tokens', { key, body })).json.errors).to.have.all.keys('encrypted');
    const logs = await api.send('GET', `/logs?entity_type=key&entity_id=${id}`, { key: management });
    expect(logs.json.data.map(({ message }: { message: string }) => message)).to.deep.equal([
      'Key deleted',
      'Key created',
    ]);
  });

  it('makes tokens whose data no one on the way can read', async () => {
    const visitor = await api.application({ name: 'page', type: 'public', permissions: ['token:create'] });
    const encrypted = await encrypt(clientKey, card);
    const body = { type: 'card', encrypted, metadata: { by: 'page' } };
    const made = await api.send('POST', '/tokens', { key: visitor.key, body });
    expect(made.status, made.text).to.equal(201);
    expect(made.text).to.not.contain(card.number);
    expect(made.json).to.deep.include({ type: 'card', metadata: { by: 'page' } });
    const proxy = await api.proxy(destination.url);
    await api.invoke(proxy.key, 'POST', '', { body: { all: `{{ ${made.json.id} }}` } });
    expect(received().all).to.deep.equal(card);
    const document = { holder: 'Ann', cards: [{ type: 'card', encrypted }] };
    const tokenized = await api.send('POST', '/tokenize', { key: visitor.key, body: document });
    expect(tokenized.json.cards[0].data).to.include({ number: 'XXXXXXXXXXXX4242' });
    const other = await anotherTenant(system, 'not theirs');
    const foreign = await api.send('POST', '/applications', {
      key: other.management_api_key,
      body: { name: 'foreign', type: 'private', permissions: ['token:create'] },
    });
    const refused = await api.send('POST', '/tokens', { key: foreign.json.key, body });
    expect(refused.status).to.equal(400);
    expect(refused.json.errors).to.have.all.keys('encrypted');
  });

  it('reaches a destination through a proxy, and no token is made', async () => {
    const proxy = await api.proxy(destination.url);
    const header = await headerOf(card);
    const body = {
      number,
      month: "{{ encrypted | json: '$.data.expiration_month' | to_number }}",
      all: '{{encrypted}}',
    };
    const answer = await api.invoke(proxy.key, 'POST', '', { headers: header, body });
    expect(answer.status, answer.text).to.equal(200);
    expect(received()).to.deep.equal({ number: card.number, month: 12, all: { type: 'card', data: card } });
    const sent = JSON.stringify(destination.received.at(-1)?.rawHeaders);
    expect(sent).to.not.match(/encrypted/i);
    const alias = { 'BT-ENCRYPTED': header['SVC-ENCRYPTED'] };
    await api.invoke(proxy.key, 'POST', '', { headers: alias, body: { number } });
    expect(received()).to.deep.equal({ number: card.number });
    expect(JSON.stringify(destination.received.at(-1)?.rawHeaders)).to.not.match(/encrypted/i);
    const logs = await api.send('GET', `/logs?entity_id=${clientKey.id}&size=1`, { key: management });
    expect(logs.json.data[0]).to.include({ entity_type: 'key', operation: 'use', message: 'Key used' });
  });

  it('has several parts by their names, also where the destination is in the request', async () => {
    const parts = {
      pan: { type: 'card', encrypted: await encrypt(clientKey, card) },
      holder: { type: 'token', encrypted: await encrypt(clientKey, { name: 'Ann' }) },
    };
    const headers = { 'SVC-ENCRYPTED': encryptedHeader(parts), 'SVC-PROXY-URL': destination.url };
    const body = `{{ encrypted | json: '$.holder.data.name' }};{{ encrypted.pan.data.number }}`;
    const answer = await api.send('POST', '/proxy', {
      key,
      headers: { ...headers, 'Content-Type': 'text/plain' },
      body,
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(String(destination.received.at(-1)?.body)).to.equal(`Ann;${card.number}`);
  });

  it('becomes a token on the way, and the response has its id and nothing else', async () => {
    const token = { type: 'card', data: "{{ encrypted | json: '$.data' }}" };
    const tokenize = (identifier: string) => ({ type: 'tokenize', options: { identifier, token } });
    const value = "{{ transform_identifier: 'after' | json: '$.id' }}";
    const proxy = await api.proxy(destination.url, {
      request_transforms: [tokenize('before')],
      response_transforms: [tokenize('after'), { type: 'append_json', options: { value, location: '$.id' } }],
    });
    const answer = await api.invoke(proxy.key, 'POST', '', {
      headers: await headerOf(card),
      body: { number },
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.text).to.not.contain(card.number);
    expect(received()).to.deep.equal({ number: card.number });
    const used = await api.proxy(destination.url);
    await api.invoke(used.key, 'POST', '', { body: { card: `{{ ${answer.json.id} }}` } });
    expect(received().card).to.deep.equal(card);
  });

  it('is asked for before the destination is called, when only the response is to be transformed by it', async () => {
    const token = { type: 'card', data: "{{ encrypted | json: '$.data' }}" };
    const proxy = await api.proxy(destination.url, {
      response_transforms: [{ type: 'tokenize', options: { identifier: 'after', token } }],
    });
    const before = destination.received.length;
    expectProblem(await api.invoke(proxy.key, 'POST', '', { body: {} }), 400, /SVC-ENCRYPTED is required/);
    expect(destination.received).to.have.length(before);
  });

  it('becomes a token where a reactor asks for one', async () => {
    const reactor = await createReactor(api, '({ args }) => ({ raw: {}, tokenize: args })');
    const args = { card: { type: 'card', encrypted: await encrypt(clientKey, card) } };
    const permissions = ['token:use', 'token:create'];
    const masked = await api.application({ name: 'masked', type: 'private', permissions });
    const sent = { key: masked.key, body: { args } };
    const answer = await api.send('POST', `/reactors/${reactor.id}/react`, sent);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.text).to.not.contain(card.number);
    expect(answer.json.tokens.card).to.deep.include({ type: 'card', containers: ['/pci/high/'] });
  });

  it('is refused in the way of a proxy, and goes nowhere', async () => {
    const proxy = await api.proxy(destination.url);
    const open = await api.proxy(destination.url, { require_auth: false });
    const good = await headerOf(card);
    const post = (headers: Record<string, string>, by?: string) =>
      api.invoke(proxy.key, 'POST', '', {
        headers,
        body: { number },
        ...(by === undefined ? {} : { key: by }),
      });
    expectProblem(await post({}), 400, /SVC-ENCRYPTED is required/);
    expectProblem(
      await post({ 'SVC-ENCRYPTED': 'x y' }),
      400,
      /"SVC-ENCRYPTED":\["must be a JSON object in base64"\]/,
    );
    const broken = { 'SVC-ENCRYPTED': encryptedHeader({ type: 'card', encrypted: 'x' }) };
    expectProblem(await post(broken), 400, /SVC-ENCRYPTED.encrypted.*must be a JWE/);
    expectProblem(await post(await headerOf({ number: '1' })), 400, /SVC-ENCRYPTED.data.number/);
    const weak = await api.application({ name: 'no use', type: 'private', permissions: ['token:create'] });
    expectProblem(await post(good, weak.key), 403, /token:use/);
    const anonymous = await api.send('POST', '/proxy', {
      headers: { ...good, 'SVC-PROXY-KEY': open.key },
      body: { number },
    });
    expectProblem(anonymous, 401, /SVC-API-KEY/);
    expect(destination.received).to.deep.equal([]);
  });

  it('is no matter of requests that name it nowhere, nor of headers', async () => {
    const proxy = await api.proxy(destination.url);
    const headers = { 'SVC-ENCRYPTED': 'not looked at', 'X-Number': number };
    const answer = await api.invoke(proxy.key, 'POST', '', { headers, body: { a: 1 } });
    expect(answer.status, answer.text).to.equal(200);
    expect(destination.received.at(-1)?.headers['x-number']).to.equal(number);
  });

  it('needs no body for a key, and none of a type', async () => {
    const { status, json, text } = await api.send('POST', '/keys', { key: management });
    expect(status, text).to.equal(201);
    expect(json.public_key_jwk.kid).to.equal(json.id);
    await api.send('DELETE', `/keys/${json.id}`, { key: management });
  });
});
