import { expect } from 'chai';

import { type OtherTenant, anotherTenant } from '../harness/another-tenant.ts';
import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sharedSystem } from '../harness/system.ts';
import { withoutTrace } from '../harness/without-trace.ts';

describe('two tenants', () => {
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  let other: OtherTenant;
  let otherPrivateKey: string;

  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
    other = await anotherTenant(system, 'Other & Sons');
    const body = {
      name: 'all of it',
      type: 'private',
      permissions: ['token:create', 'token:read', 'token:use', 'token:delete'],
      rules: [
        { description: '', priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] },
      ],
    };
    otherPrivateKey = (await api.send('POST', '/applications', { key: other.management_api_key, body })).json
      .key;
  });
  after(() => destination[Symbol.asyncDispose]());

  it('are separate from the moment that the second is created', async () => {
    expect(other).to.have.all.keys('tenant_id', 'management_api_key');
    const self = await api.send('GET', '/tenants/self', { key: other.management_api_key });
    expect(self.status).to.equal(200);
    expect(self.json).to.include({ id: other.tenant_id, name: 'Other & Sons' });
  });

  it('never see, use or delete each other’s tokens', async () => {
    const id = await api.token({ type: 'token', data: 'ours' });
    const key = otherPrivateKey;
    expect((await api.send('GET', `/tokens/${id}`, { key })).status).to.equal(404);
    expect((await api.send('DELETE', `/tokens/${id}`, { key })).status).to.equal(404);
    const body = { name: 'theirs', destination_url: destination.url };
    const theirs = (await api.send('POST', '/proxies', { key: other.management_api_key, body })).json;
    const answer = await api.invoke(theirs.key, 'POST', '', { key, body: { a: `{{${id}}}` } });
    expect(answer.status).to.equal(400);
    expect(answer.json.proxy_error.detail).to.equal(`Failed to detokenize some tokens: ${id}`);
    expect(destination.received).to.have.length(0);
  });

  it('may use the same token id for different values', async () => {
    const id = `same-${Date.now()}`;
    await api.token({ type: 'token', data: 'ours', id });
    const theirs = { key: otherPrivateKey, body: { type: 'token', data: 'theirs', id } };
    expect((await api.send('POST', '/tokens', theirs)).status).to.equal(201);
    expect((await api.send('GET', `/tokens/${id}`, { key: otherPrivateKey })).json.data).to.equal('theirs');
  });

  it('cannot invoke, read, change or delete each other’s proxies, nor learn that they exist', async () => {
    const proxy = await api.proxy(destination.url);
    const unknown = await api.invoke('nosuchkey', 'GET', '', { key: otherPrivateKey });
    const invoked = await api.invoke(proxy.key, 'GET', '', { key: otherPrivateKey });
    expect(invoked.status).to.equal(404);
    expect(withoutTrace(invoked.text)).to.equal(withoutTrace(unknown.text));
    const path = `/proxies/${proxy.id}`;
    const key = other.management_api_key;
    const body = { name: 'stolen', destination_url: 'https://evil.example' };
    expect((await api.send('GET', path, { key })).status).to.equal(404);
    expect((await api.send('PUT', path, { key, body })).status).to.equal(404);
    expect((await api.send('DELETE', path, { key })).status).to.equal(404);
    expect((await api.manage('GET', path)).json).to.include({ name: 'story' });
    const { data } = (await api.send('GET', '/proxies', { key })).json;
    expect(data.map(({ tenant_id: id }: { tenant_id: string }) => id)).to.not.include(
      (await sharedSystem()).dev.tenant_id,
    );
  });

  it('share nothing of a transform, be its code the same', async () => {
    const code =
      'let n = 0; module.exports = ({ configuration }) => ({ body: { n: ++n, ...configuration } })';
    const body = (who: string) => ({
      name: who,
      destination_url: destination.url,
      request_transform: { code },
      configuration: { WHO: who },
    });
    const ours = await api.proxy(destination.url, body('ours'));
    const theirs = await api.send('POST', '/proxies', {
      key: other.management_api_key,
      body: body('theirs'),
    });
    for (let n = 1; n <= 3; n += 1) {
      for (const [WHO, key, sent] of [
        ['ours', ours.key, {}],
        ['theirs', theirs.json.key, { key: otherPrivateKey }],
      ]) {
        expect((await api.invoke(key, 'POST', '', { ...sent, body: {} })).status).to.equal(200);
        expect(JSON.parse(String(destination.received.at(-1)?.body))).to.deep.equal({ n, WHO });
      }
    }
  });
});

describe('containers and rules', () => {
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  before(async () => {
    api = apiOf(await sharedSystem());
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  it('decide whose tokens a proxy may use: 403 for a known one outside, and the destination gets nothing', async () => {
    const inside = await api.token({ type: 'token', data: 'in', containers: ['/shop/a/'] });
    const outside = await api.token({ type: 'token', data: 'out', containers: ['/shop/b/'] });
    const { key } = await api.application({
      name: 'shop a',
      type: 'private',
      rules: [
        {
          description: '',
          priority: 1,
          container: '/shop/a/',
          transform: 'reveal',
          permissions: ['token:use'],
        },
      ],
    });
    const proxy = await api.proxy(destination.url);
    expect((await api.invoke(proxy.key, 'POST', '', { key, body: { a: `{{${inside}}}` } })).status).to.equal(
      200,
    );
    const both = { a: `{{${inside}}}`, b: `{{${outside}}}` };
    const refused = await api.invoke(proxy.key, 'POST', '', { key, body: both });
    expect(refused.status).to.equal(403);
    expect(refused.json.proxy_error.status).to.equal(403);
    expect(destination.received).to.have.length(1);
  });

  it('decide what of a token is shown: revealed, masked or nothing', async () => {
    const id = await api.token({
      type: 'card',
      data: { number: '4242424242424242', cvc: '123' },
      containers: ['/show/'],
    });
    for (const [transform, data] of [
      ['reveal', { number: '4242424242424242', cvc: '123' }],
      ['mask', { number: 'XXXXXXXXXXXX4242' }],
      ['redact', undefined],
    ] as const) {
      const { key } = await api.application({
        name: transform,
        type: 'private',
        rules: [
          { description: '', priority: 1, container: '/show/', transform, permissions: ['token:read'] },
        ],
      });
      const answer = await api.send('GET', `/tokens/${id}`, { key });
      expect(answer.status).to.equal(200);
      expect(answer.json.data, transform).to.deep.equal(data);
    }
  });
});
