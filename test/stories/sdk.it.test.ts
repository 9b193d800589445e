import { Glovebox, type GloveboxApiError } from '@glovebox/sdk/glovebox';
import { expect } from 'chai';

import type { Json } from '../harness/api.ts';
import { checkedFetch } from '../harness/checked-fetch.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** What users install (packages/sdk), against the whole system. */
describe('the client', () => {
  let system: System;
  let tenant: Glovebox;
  let owner: Glovebox;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    const { base_url: apiBaseUrl, management_api_key: management, private_api_key: own } = system.dev;
    tenant = await new Glovebox().init(management, { apiBaseUrl, fetch: checkedFetch });
    owner = await new Glovebox().init(own, { apiBaseUrl, fetch: checkedFetch });
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const failure = async (call: Promise<unknown>): Promise<GloveboxApiError> =>
    call.then(
      () => expect.fail('it succeeded'),
      (error) => error as GloveboxApiError,
    );

  it('makes, reads and deletes tokens', async () => {
    const data = { someKey: [1, { snake_key: null }] };
    const made = await owner.tokens.create({
      type: 'token',
      data,
      metadata: { userId: '5' },
      containers: ['/a/'],
    });
    expect(made).to.deep.include({ tenantId: system.dev.tenant_id, containers: ['/a/'] });
    const read = await owner.tokens.retrieve(made.id);
    expect(read).to.deep.include({ data, metadata: { userId: '5' }, createdBy: made.createdBy });
    expect(await owner.tokens.delete(made.id)).to.equal(undefined);
    expect((await failure(owner.tokens.retrieve(made.id))).status).to.equal(404);
  });

  it('takes ids as they are', async () => {
    const id = `someone@example.com: ${Date.now()} "ü"`;
    expect((await owner.tokens.create({ id, type: 'token', data: 1 })).id).to.equal(id);
    expect((await owner.tokens.retrieve(id)).id).to.equal(id);
  });

  it('tokenizes', async () => {
    const result = await owner.tokenize<Json>({ someName: 'x', deep: [{ type: 'token', data: 1 }] });
    expect(result.someName).to.match(/^[\da-f-]{36}$/);
    expect(result.deep[0]).to.include({ type: 'token', tenant_id: system.dev.tenant_id });
    expect(await owner.detokenize({ someName: `{{ ${result.someName} }}` })).to.deep.equal({ someName: 'x' });
  });

  it('changes tokens and finds them', async () => {
    const customer = `customer-${Date.now()}`;
    const metadata = { forCustomer: customer };
    const { id } = await owner.tokens.create({ type: 'token', data: { aB: 1, c: 2 }, metadata });
    expect((await owner.tokens.update(id, { data: { c: null } })).id).to.equal(id);
    expect((await owner.tokens.retrieve(id)).data).to.deep.equal({ aB: 1 });
    for (const page of [
      await owner.tokens.list({ metadata, size: 5 }),
      await owner.tokens.search({ query: `metadata.forCustomer:${customer}` }),
    ]) {
      expect(page.data.map((token) => token.id)).to.deep.equal([id]);
      expect(page.pagination.totalItems).to.equal(1);
    }
  });

  it('says what is wrong', async () => {
    const error = await failure(owner.tokens.create({ type: 'token', data: 1, expiresAt: 'never' }));
    expect(error.status).to.equal(400);
    expect((error.data as Json).errors).to.have.property('expiresAt');
    expect((await failure(owner.tenants.retrieve())).status).to.equal(403);
    const unknown = await failure(owner.tokens.retrieve('x', { apiKey: 'key_1111111111111111111111' }));
    expect(unknown.status).to.equal(401);
  });

  it('manages applications and their permissions', async () => {
    const rules = [{ priority: 1, container: '/', transform: 'mask' as const, permissions: ['token:read'] }];
    const made = await tenant.applications.create({ name: 'by the client', type: 'private', rules });
    expect(made.key).to.match(/^key_/);
    const own = await tenant.applications.retrieveByKey({ apiKey: made.key });
    expect(own).to.deep.include({ id: made.id, name: 'by the client' });
    expect((await tenant.applications.list({ id: made.id })).data.map(({ id }) => id)).to.deep.equal([
      made.id,
    ]);
    const { name } = await tenant.applications.update(made.id, { name: 'changed', rules });
    expect(name).to.equal('changed');
    expect((await tenant.applications.regenerateKey(made.id)).key).not.to.equal(made.key);
    await tenant.applications.delete(made.id);
    expect((await failure(tenant.applications.retrieve(made.id))).status).to.equal(404);
    const permissions = await tenant.permissions.list({ applicationType: 'public' });
    expect(permissions.map(({ type }) => type)).to.include('token:create');
  });

  it('manages the tenant', async () => {
    const before = await tenant.tenants.retrieve();
    const settings = { deduplicateTokens: 'false' };
    const changed = await tenant.tenants.update({ name: before.name, settings });
    expect(changed.settings).to.deep.include(settings);
    await tenant.tenants.update({ name: before.name, settings: before.settings });
  });

  it('makes proxies and sends requests through them', async () => {
    const { id } = await owner.tokens.create({ type: 'token', data: 'plain' });
    const proxy = await tenant.proxies.create({
      name: 'by the client',
      destinationUrl: destination.url,
      configuration: { someKey: 'v', OTHER_key: 'w' },
      requestTransform: {
        code: 'module.exports = ({ args, configuration }) => ({ ...args, body: { ...args.body, configuration } })',
      },
    });
    expect(proxy.configuration).to.deep.equal({ someKey: 'v', OTHER_key: 'w' });
    const answer = await owner.proxy.post({
      path: 'charges',
      query: { expandAll: 'yes' },
      headers: { 'SVC-PROXY-KEY': proxy.key },
      body: { someValue: `{{${id}}}` },
      includeResponseHeaders: true,
    });
    expect(answer.data).to.deep.equal({ ok: true });
    expect(answer.headers['content-type']).to.equal('application/json');
    expect(destination.received[0]?.url).to.equal('/charges?expandAll=yes');
    expect(JSON.parse(destination.received[0]!.body.toString())).to.deep.equal({
      someValue: 'plain',
      configuration: { someKey: 'v', OTHER_key: 'w' },
    });
    await tenant.proxies.delete(proxy.id);
    const gone = await failure(owner.proxy.get({ headers: { 'SVC-PROXY-KEY': proxy.key } }));
    expect([gone.status, Object.keys(gone.data as object)]).to.deep.equal([404, ['proxy_error']]);
  });

  it('makes formulas and reactors and invokes them', async () => {
    const formula = await tenant.reactorFormulas.create({
      name: 'by the client',
      type: 'private',
      code: 'module.exports = ({ args, configuration }) => ({ raw: { args, configuration }, tokenize: { some_key: 1 } })',
      configuration: [{ name: 'someKey', type: 'number' }],
      requestParameters: [{ name: 'someValue', type: 'string', optional: true }],
    });
    expect(formula.requestParameters[0]).to.include({ name: 'someValue', optional: true });
    const reactor = await tenant.reactors.create({
      name: 'by the client',
      formula: { id: formula.id },
      configuration: { someKey: '5' },
    });
    expect((await tenant.reactors.list({ id: [reactor.id] })).data[0]?.configuration).to.deep.equal({
      someKey: '5',
    });
    const { raw, tokens } = (await owner.reactors.react(reactor.id, { args: { someValue: 'x' } })) as Json;
    expect(raw).to.deep.equal({ args: { someValue: 'x' }, configuration: { someKey: 5 } });
    expect(tokens.some_key).to.match(/^[\da-f-]{36}$/);
    await tenant.reactors.delete(reactor.id);
    await tenant.reactorFormulas.delete(formula.id);
    expect((await failure(owner.reactors.react(reactor.id))).status).to.equal(404);
  });
});
