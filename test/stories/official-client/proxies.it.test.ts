import { expect } from 'chai';

import type { Json } from '../../harness/api.ts';
import { type Destination, startDestination } from '../../harness/destination.ts';
import { describeOfficialClient, refusal } from '../../harness/official-client.ts';
import { type System, sharedSystem } from '../../harness/system.ts';

describeOfficialClient('proxies', ({ major, connect }) => {
  let system: System;
  let owner: Json;
  let bt: Json;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    owner = await connect(system, system.dev.management_api_key);
    bt = await connect(system, system.dev.private_api_key);
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const model = (more: object = {}) => ({
    name: `of client ${major}`,
    destinationUrl: `${destination.url}/api`,
    requestTransform: { code: 'module.exports = async (req) => req.args;' },
    configuration: { SOME_KEY: 'a', otherKey: 'b' },
    ...more,
  });

  it('are created, read, listed, changed and deleted', async () => {
    const made = await owner.proxies.create(model());
    expect(made).to.deep.include({
      tenantId: system.dev.tenant_id,
      name: `of client ${major}`,
      requestTransform: { code: 'module.exports = async (req) => req.args;' },
      configuration: { SOME_KEY: 'a', otherKey: 'b' },
      requireAuth: true,
    });
    expect(made.key).to.match(/^[\dA-Za-z]+$/);
    expect(await owner.proxies.retrieve(made.id)).to.deep.include({ id: made.id, key: made.key });
    const { data, pagination } = await owner.proxies.list({
      id: made.id,
      name: 'of client*',
      page: 1,
      size: 5,
    });
    expect(data.map(({ id }: Json) => id)).to.deep.equal([made.id]);
    expect(pagination).to.deep.equal({ totalItems: 1, pageNumber: 1, pageSize: 5, totalPages: 1 });
    const changed = await owner.proxies.update(made.id, { name: 'other', destinationUrl: destination.url });
    expect(changed).to.include({ id: made.id, name: 'other', key: made.key });
    expect(changed).to.not.have.any.keys('requestTransform', 'configuration');
    expect(changed.modifiedAt).to.be.a('string');
    await owner.proxies.delete(made.id);
    expect((await refusal(owner.proxies.retrieve(made.id))).status).to.equal(404);
  });

  if (major === 4) {
    it('are patched', async () => {
      const { id } = await owner.proxies.create(model());
      await owner.proxies.patch(id, { name: 'patched', configuration: { SOME_KEY: null, NEW: 'c' } });
      expect(await owner.proxies.retrieve(id)).to.deep.include({
        name: 'patched',
        configuration: { otherKey: 'b', NEW: 'c' },
        requestTransform: { code: 'module.exports = async (req) => req.args;' },
      });
    });
  }

  it('are invoked by every method, with path, query and headers', async () => {
    const { key } = await owner.proxies.create(
      model({ requestTransform: undefined, configuration: undefined }),
    );
    const token = await bt.tokens.create({ type: 'token', data: 'secret' });
    const headers = { 'BT-PROXY-KEY': key, 'X-Mine': 'yes' };
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const body = method === 'get' || method === 'delete' ? {} : { body: { text: `{{ ${token.id} }}` } };
      const answer = await bt.proxy[method]({ path: 'sub/path', query: { aB: '1' }, headers, ...body });
      expect(answer).to.deep.equal({ ok: true });
      const received = destination.received.at(-1);
      expect(received).to.include({ method: method.toUpperCase(), url: '/api/sub/path?aB=1' });
      expect(received?.headers)
        .to.include({ 'x-mine': 'yes' })
        .and.to.not.have.any.keys('bt-proxy-key', 'bt-api-key');
      if ('body' in body) expect(JSON.parse(String(received?.body))).to.deep.equal({ text: 'secret' });
    }
  });

  it('are invoked by the key as a query parameter, and without a path', async () => {
    const { key } = await owner.proxies.create(model({ requestTransform: undefined }));
    await bt.proxy.get({ query: { 'bt-proxy-key': key, aB: '1' } });
    expect(destination.received.at(-1)?.url).to.equal('/api?aB=1');
    await bt.proxy.post({ headers: { 'BT-PROXY-KEY': key }, body: { a: 1 } });
    expect(destination.received.at(-1)?.url).to.equal('/api');
  });

  it('take text, which the client calls a form, JSON that it was given as text too', async () => {
    const { key } = await owner.proxies.create(
      model({ requestTransform: undefined, configuration: undefined }),
    );
    const { id } = await bt.tokens.create({ type: 'token', data: 'secret' });
    const bodies = [
      [`{{ ${id} }}`, 'secret'],
      [`{"text":"{{ ${id} }}"}`, '{"text":"secret"}'],
      [`text=a {{ ${id} }}`, 'text=a+secret'],
    ];
    for (const [body, arrives] of bodies) {
      await bt.proxy.post({ headers: { 'BT-PROXY-KEY': key }, body });
      const received = destination.received.at(-1);
      expect(received?.headers['content-type']).to.match(/^application\/x-www-form-urlencoded/);
      expect(String(received?.body)).to.equal(arrives);
    }
  });

  if (major === 4) {
    it('give their response headers to who asks for them', async () => {
      const { key } = await owner.proxies.create(model({ requestTransform: undefined }));
      const answer = await bt.proxy.post({
        headers: { 'BT-PROXY-KEY': key },
        body: {},
        includeResponseHeaders: true,
      });
      expect(answer).to.have.property('data').that.deep.equals({ ok: true });
      expect(answer.headers).to.include({ 'content-type': 'application/json' });
    });
  }

  it('may be named by their destination alone', async () => {
    const headers = { 'BT-PROXY-URL': `${destination.url}/direct` };
    expect(await bt.proxy.post({ path: '/x', headers, body: { a: 1 } })).to.deep.equal({ ok: true });
    expect(destination.received.at(-1)?.url).to.equal('/direct/x');
  });

  it('say what failed', async () => {
    const headers = { 'BT-PROXY-KEY': 'unknown' };
    const error = await refusal(bt.proxy.post({ headers, body: {} }));
    expect(error).to.include({ name: 'BasisTheoryApiError', status: 404 });
    expect(error.data).to.have.nested.property('proxy_error.status', 404);
  });
});
