import { hashKey } from '@glovebox/access/api-key';
import { proxyIdRecord, proxyRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { type TestVault, startVault } from './harness/vault.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const nobody = '7d9f8a52-0000-4000-8000-000000000000';

const minimal = { name: 'ledger', destination_url: 'https://ledger.example.com/api' };
const code = 'module.exports = async (req) => req.args;';

describe('proxies, with a real vault', () => {
  let vault: TestVault;
  let api: TestApi;
  let eyes: ProjectionEyes;
  let applicationId: string;

  before(async () => {
    const config = await newInstallation();
    vault = await startVault(config);
    api = await startTestApi({}, { ...config, vaultAddress: vault.address });
    eyes = await openEyes(config);
    applicationId = (await api.send('GET /applications/key', { key: api.tenant.privateKey })).body.id;
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  const create = async (body: object = {}): Promise<Body> => {
    const answer = await api.send('POST /proxies', { body: { ...minimal, ...body } });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const full = () => ({
    ...minimal,
    request_transform: { code },
    response_transform: { code: `${code}//2` },
    application: { id: applicationId },
    configuration: { API_KEY: 'sk_live_canary', REGION: 'eu' },
    require_auth: false,
  });

  it('a create answers 201 with the proxy, a key, defaults, and without what is null', async () => {
    const answer = await api.send('POST /proxies', { body: minimal });
    expect(answer.status).to.equal(201);
    const { id, key, created_at: createdAt, ...rest } = answer.body;
    expect(id).to.match(uuid);
    expect(key).to.match(/^[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(createdAt).to.match(timestamp);
    expect(rest).to.deep.equal({
      tenant_id: api.tenant.id,
      name: 'ledger',
      destination_url: 'https://ledger.example.com/api',
      require_auth: true,
      state: 'active',
      created_by: (await api.send('GET /applications/key')).body.id,
    });
    expect(answer.headers.get('location')).to.equal(`/proxies/${id}`);
  });

  it('a create keeps every attribute, and shows the application as application_id', async () => {
    const { application, ...attributes } = full();
    expect(await create(full())).to.deep.include({ ...attributes, application_id: application.id });
  });

  it('get, list and update carry all four of created and modified, create only the first two', async () => {
    const created = await create();
    expect(created)
      .to.include.keys('created_by', 'created_at')
      .and.not.to.include.keys('modified_by', 'modified_at');
    const all = ['created_by', 'created_at', 'modified_by', 'modified_at'];
    expect((await api.send(`GET /proxies/${created.id}`)).body).to.include.all.keys(all);
    expect((await api.send(`GET /proxies?id=${created.id}`)).body.data[0]).to.include.all.keys(all);
    const updated = await api.send(`PUT /proxies/${created.id}`, { body: minimal });
    expect(updated.body).to.include.all.keys(all);
    expect(updated.body.created_at).to.equal(created.created_at);
    expect(Date.parse(updated.body.modified_at)).to.be.at.least(Date.parse(created.created_at));
  });

  it('get and list show the key and the configuration in clear', async () => {
    const created = await create(full());
    const secrets = { key: created.key, configuration: { API_KEY: 'sk_live_canary', REGION: 'eu' } };
    expect((await api.send(`GET /proxies/${created.id}`)).body).to.deep.include(secrets);
    const listed = (await api.send(`GET /proxies?id=${created.id}`)).body;
    expect(listed.data).to.have.length(1);
    expect(listed.data[0]).to.deep.include(secrets);
  });

  it('an update replaces everything but the key: what is left out goes back to its default', async () => {
    const created = await create(full());
    const body = { name: 'other', destination_url: 'https://other.example.com' };
    const updated = await api.send(`PUT /proxies/${created.id}`, { body });
    expect(updated.status).to.equal(200);
    expect(updated.body).to.include({ ...body, id: created.id, key: created.key, require_auth: true });
    expect(updated.body).not.to.have.any.keys(
      'request_transform',
      'response_transform',
      'configuration',
      'application_id',
    );
    const { body: read } = await api.send(`GET /proxies/${created.id}`);
    expect(read).to.deep.equal(updated.body);
  });

  it('a key, an id or a tenant in a body changes nothing', async () => {
    const created = await create();
    const body = { ...minimal, id: nobody, key: 'mine', tenant_id: nobody, version: 99, created_by: nobody };
    const updated = await api.send(`PUT /proxies/${created.id}`, { body });
    expect(updated.body).to.include({ id: created.id, key: created.key, tenant_id: api.tenant.id });
  });

  it('null is absence: require_auth is true then, and a configuration entry is not set', async () => {
    const created = await create({
      request_transform: null,
      response_transform: null,
      application: null,
      configuration: { a: 'b', c: null },
      require_auth: null,
    });
    expect(created).to.include({ require_auth: true }).and.not.to.have.any.keys('request_transform');
    expect(created.configuration).to.deep.equal({ a: 'b' });
    expect((await create({ configuration: {} })).configuration).to.deep.equal({});
  });

  it('a delete answers 204 without a body, and the proxy is gone', async () => {
    const { id } = await create();
    const answer = await api.send(`DELETE /proxies/${id}`);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    for (const request of [`GET /proxies/${id}`, `DELETE /proxies/${id}`]) {
      expect((await api.send(request)).status, request).to.equal(404);
    }
    expect((await api.send(`PUT /proxies/${id}`, { body: minimal })).status).to.equal(404);
  });

  it('another tenant finds, changes and deletes nothing', async () => {
    const { id } = await create();
    const { managementKey: key } = await api.newTenant();
    expect((await api.send(`GET /proxies/${id}`, { key })).status).to.equal(404);
    expect((await api.send(`PUT /proxies/${id}`, { key, body: minimal })).status).to.equal(404);
    expect((await api.send(`DELETE /proxies/${id}`, { key })).status).to.equal(404);
    expect((await api.send(`GET /proxies?id=${id}`, { key })).body.data).to.deep.equal([]);
    expect((await api.send(`GET /proxies/${id}`)).status).to.equal(200);
  });

  it('an application of another tenant, of type management, or of nobody is a 400', async () => {
    const other = await api.newTenant();
    const { id: foreign } = (await api.send('GET /applications/key', { key: other.privateKey })).body;
    const { id: management } = (await api.send('GET /applications/key')).body;
    for (const id of [foreign, management, nobody]) {
      const answer = await api.send('POST /proxies', { body: { ...minimal, application: { id } } });
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.have.all.keys('application.id');
    }
  });

  it('a proxy whose application was deleted has none', async () => {
    const body = { name: 'short-lived', type: 'private', permissions: ['token:use'] };
    const application = (await api.send('POST /applications', { body })).body;
    const { id } = await create({ application: { id: application.id } });
    await api.send(`DELETE /applications/${application.id}`);
    expect((await api.send(`GET /proxies/${id}`)).body).not.to.have.property('application_id');
    expect((await api.send(`GET /proxies?id=${id}`)).body.data[0]).not.to.have.property('application_id');
  });

  it('a success answer means published: create, update and delete are in Redis by then', async () => {
    const created = await create(full());
    const name = proxyRecord(hashKey(created.key));
    const reference = proxyIdRecord(created.id);
    const published = await eyes.find(name);
    expect(published?.version).to.equal(1);
    expect(published?.record?.value).to.deep.include({
      id: created.id,
      tenantId: api.tenant.id,
      destinationUrl: minimal.destination_url,
      requireAuth: false,
      applicationId,
      requestTransformCode: code,
    });
    const value = { id: created.id, tenantId: api.tenant.id };
    expect(await eyes.find(reference)).to.deep.equal({
      version: 1,
      record: { $case: 'proxyReference', value },
    });
    await api.send(`PUT /proxies/${created.id}`, { body: { ...minimal, name: 'again' } });
    expect((await eyes.find(name))?.record?.value).to.include({ name: 'again', requireAuth: true });
    await api.send(`DELETE /proxies/${created.id}`);
    const tombstone = { version: 3, record: { $case: 'tombstone', value: {} } };
    expect(await eyes.find(name)).to.deep.equal(tombstone);
    expect(await eyes.find(reference)).to.deep.equal(tombstone);
  });

  it('no secret is in clear in the database or in Redis', async () => {
    const created = await create({ configuration: { PASSWORD: 'canary-7f3a' } });
    const url = api.config.databaseUrl.reveal();
    const [row] = await inDatabase<{ text: string }>(
      url,
      'SELECT proxies::text AS text FROM proxies WHERE id = $1',
      [created.id],
    );
    const stored = JSON.stringify((await eyes.find(proxyRecord(hashKey(created.key))))?.record);
    for (const secret of ['canary-7f3a', created.key]) {
      const spellings = [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
      for (const spelling of spellings) {
        expect(row?.text).not.to.contain(spelling);
        expect(stored).not.to.contain(spelling);
      }
    }
  });

  it('a page of 100 proxies with 25 settings each is opened', async () => {
    const { managementKey: key } = await api.newTenant();
    const configuration = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`k${i}`, `v${i}`]));
    for (let i = 0; i < 100; i += 1) {
      await api.send('POST /proxies', { key, body: { ...minimal, name: `p${i}`, configuration } });
    }
    const { data } = (await api.send('GET /proxies?size=100', { key })).body;
    expect(data).to.have.length(100);
    for (const proxy of data) expect(proxy.configuration).to.deep.equal(configuration);
  });

  it('while the vault is away what needs it answers 503, and nothing is stored', async () => {
    const config = await newInstallation();
    const own = await startVault(config);
    await using lone = await startTestApi({}, { ...config, vaultAddress: own.address });
    const { body: proxy } = await lone.send('POST /proxies', { body: minimal });
    await own.kill();
    expect((await lone.send('POST /proxies', { body: minimal })).status).to.equal(503);
    expect((await lone.send(`GET /proxies/${proxy.id}`)).status).to.equal(503);
    expect((await lone.send(`DELETE /proxies/${proxy.id}`)).status).to.equal(204);
    expect((await lone.send('GET /proxies')).body.pagination.total_items).to.equal(0);
  });
});
