import { hashKey } from '@glovebox/access/api-key';
import { applicationRecord, proxyIdRecord, proxyRecord, tenantRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type TestApi, startTestApi } from './harness/api.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';

const proxy = { name: 'p', destination_url: 'https://example.com' };

describe('tenants', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;

  before(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  it('self is the tenant of the key, with and without a trailing slash', async () => {
    const { status, body } = await api.send('GET /tenants/self/');
    expect(status).to.equal(200);
    expect(body)
      .to.include({ id: api.tenant.id, name: 'A tenant', type: 'production' })
      .and.to.include.keys('owner_id', 'settings');
    expect((await api.send('GET /tenants/self')).body).to.deep.equal(body);
  });

  it('an update replaces name and settings, and the settings are published', async () => {
    const settings = { deduplicate_tokens: 'true' };
    const answer = await api.send('PUT /tenants/self', { body: { name: 'Renamed', settings } });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.include({ name: 'Renamed', settings });
    expect(answer.body).to.include.keys('modified_by', 'modified_at');
    const name = tenantRecord(api.tenant.id);
    expect((await eyes.find(name))?.record?.value).to.deep.include({ id: api.tenant.id, settings });
    expect((await api.send('PUT /tenants/self', { body: { name: 'Again' } })).body).to.deep.include({
      settings: {},
    });
    expect((await eyes.find(name))?.record?.value).to.deep.include({ settings: {} });
  });

  it('settings are strings', async () => {
    const body = { name: '', settings: { a: true, b: null } };
    const answer = await api.send('PUT /tenants/self', { body });
    expect(answer.status).to.equal(400);
    expect(answer.body.errors).to.have.all.keys('name', 'settings.a', 'settings.b');
  });

  it('settings that mean something have a value that does; others are kept as they are', async () => {
    const settings = {
      deduplicate_tokens: 'false',
      fingerprint_tokens: 'true',
      disable_ephemeral_proxy: 'true',
      response_guard: 'mask',
      invocation_sampling: '100',
      token_deduplication_behavior: 'update_existing',
      constructor: 'mine',
      our_note: 'yes',
    };
    const answer = await api.send('PUT /tenants/self', { body: { name: 'A tenant', settings } });
    expect(answer.status, answer.text).to.equal(200);
    expect((await api.send('GET /tenants/self')).body).to.deep.include({ settings });
    const name = tenantRecord(api.tenant.id);
    expect((await eyes.find(name))?.record?.value).to.deep.include({ settings });
    const wrong = {
      deduplicate_tokens: 'yes',
      fingerprint_tokens: 'TRUE',
      disable_ephemeral_proxy: '',
      response_guard: 'loud',
      invocation_sampling: '101',
      token_deduplication_behavior: 'replace',
    };
    const refused = await api.send('PUT /tenants/self', { body: { name: '', settings: wrong } });
    expect(refused.status).to.equal(400);
    expect(refused.body.errors).to.deep.equal({
      name: ['must not be empty'],
      'settings.deduplicate_tokens': ['must be "true" or "false"'],
      'settings.fingerprint_tokens': ['must be "true" or "false"'],
      'settings.disable_ephemeral_proxy': ['must be "true" or "false"'],
      'settings.invocation_sampling': ['must be a whole number from 0 to 100, as text'],
      'settings.response_guard': ['must be "off" or "report" or "mask" or "refuse"'],
      'settings.token_deduplication_behavior': ['must be "read_existing" or "update_existing"'],
    });
    expect((await api.send('GET /tenants/self')).body).to.deep.include({ settings });
  });

  it('a delete leaves nothing of the tenant: every key dies, every record is a tombstone', async () => {
    const { id, managementKey: key, privateKey, publicKey } = await api.newTenant();
    const first = (await api.send('POST /proxies', { key, body: proxy })).body;
    const second = (await api.send('POST /proxies', { key, body: proxy })).body;
    const answer = await api.send('DELETE /tenants/self', { key });
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    for (const dead of [key, privateKey, publicKey]) {
      expect((await api.send('GET /applications/key', { key: dead })).status).to.equal(401);
      expect((await eyes.find(applicationRecord(hashKey(dead))))?.record?.$case).to.equal('tombstone');
    }
    for (const gone of [first, second]) {
      expect((await eyes.find(proxyRecord(hashKey(gone.key))))?.record?.$case).to.equal('tombstone');
      expect((await eyes.find(proxyIdRecord(gone.id)))?.record?.$case).to.equal('tombstone');
    }
    expect((await eyes.find(tenantRecord(id)))?.record?.$case).to.equal('tombstone');
    expect((await api.send('GET /tenants/self')).status).to.equal(200);
  });

  it('whatever is created or regenerated while its tenant is deleted is gone too, and nothing answers 500', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { managementKey: key } = await api.newTenant();
      const { id: own } = (await api.send('GET /applications/key', { key })).body;
      const answers = await Promise.all([
        api.send('POST /proxies', { key, body: proxy }),
        api.send(`POST /applications/${own}/regenerate`, { key }),
        api.send('DELETE /tenants/self', { key }),
        api.send('POST /applications', {
          key,
          body: { name: 'x', type: 'private', permissions: ['token:use'] },
        }),
        api.send('POST /proxies', { key, body: proxy }),
      ]);
      for (const { status, text } of answers) expect(status, text).to.be.oneOf([200, 201, 204, 401, 404]);
      if (answers[2]?.status !== 204) continue;
      const { records } = await eyes.see();
      for (const { status, text } of answers) {
        const made = status === 200 || status === 201 ? (JSON.parse(text) as { key: string }).key : undefined;
        if (made === undefined) continue;
        expect(records.has(applicationRecord(hashKey(made)))).to.equal(false);
        expect(records.has(proxyRecord(hashKey(made)))).to.equal(false);
      }
    }
  });
});
