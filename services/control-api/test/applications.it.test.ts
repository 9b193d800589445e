import { hashKey } from '@glovebox/access/api-key';
import { permissionsFor } from '@glovebox/access/permission';
import { applicationRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase } from './harness/stores.ts';

const rule = { priority: 1, container: '/pci/', transform: 'mask', permissions: ['token:read'] };

describe('applications', () => {
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

  const create = async (body: object = {}): Promise<Body> => {
    const answer = await api.send('POST /applications', {
      body: { name: 'support', type: 'private', permissions: ['token:create'], ...body },
    });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const published = async (key: string) => (await eyes.find(applicationRecord(hashKey(key))))?.record;

  it('a create answers 201 with a key that works at once', async () => {
    const created = await create({
      permissions: ['token:create', 'token:read', 'token:create'],
      rules: [rule],
    });
    expect(created.key).to.match(/^key_[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(created).to.deep.include({
      tenant_id: api.tenant.id,
      name: 'support',
      type: 'private',
      permissions: ['token:create', 'token:read'],
      rules: [rule],
    });
    expect(created).not.to.have.any.keys('modified_by', 'modified_at');
    const own = await api.send('GET /applications/key', { key: created.key });
    expect([own.status, own.body.id]).to.deep.equal([200, created.id]);
  });

  it('the key is shown by create and regenerate only, and stored nowhere', async () => {
    const { id, key } = await create();
    for (const request of [`GET /applications/${id}`, `GET /applications?id=${id}`]) {
      expect((await api.send(request)).text).not.to.contain('key_');
    }
    const tables = ['applications', 'application_keys', 'outbox'];
    for (const table of tables) {
      const url = api.config.databaseUrl.reveal();
      const rows = await inDatabase<{ text: string }>(url, `SELECT t::text AS text FROM ${table} t`);
      expect(JSON.stringify(rows)).not.to.contain(key);
    }
  });

  it('it is published under the hash of its key, with its rules', async () => {
    const { id, key } = await create({ rules: [rule] });
    expect((await published(key))?.value).to.deep.include({
      id,
      tenantId: api.tenant.id,
      type: 'private',
      permissions: ['token:create'],
      rules: [{ ...rule, conditions: [], destinations: undefined }],
    });
  });

  it('destinations of a rule are normalised, and a reader that knows none cannot read the rule', async () => {
    const bound = { ...rule, permissions: ['token:use'], transform: 'reveal' };
    const sent = { ...bound, destinations: ['API.Stripe.com:443', '*.adyen.com:8443'] };
    const { id, key } = await create({ rules: [sent] });
    const destinations = ['api.stripe.com', '*.adyen.com:8443'];
    expect((await api.send(`GET /applications/${id}`)).body).to.deep.include({
      rules: [{ ...bound, destinations }],
    });
    const patterns = ['api.stripe.com:443', '*.adyen.com:8443'];
    expect((await published(key))?.value).to.deep.include({
      rules: [{ ...bound, transform: '', conditions: [], destinations: { transform: 'reveal', patterns } }],
    });
  });

  it('destinations that no rule may have are a 400 that names them', async () => {
    const using = { ...rule, permissions: ['token:use'] };
    const rules = [
      { ...using, priority: 1, destinations: ['a.example', '*.com', '*'] },
      { ...using, priority: 2, destinations: ['localhost:4000'] },
      { ...rule, priority: 3, permissions: ['token:read'], destinations: ['a.example'] },
    ];
    const body = { name: 'n', type: 'private', rules };
    const { status, body: answer } = await api.send('POST /applications', { body });
    expect(status).to.equal(400);
    expect(answer.errors).to.have.all.keys(
      'rules[0].destinations[1]',
      'rules[0].destinations[2]',
      'rules[1].destinations[0]',
      'rules[2].destinations',
    );
  });

  it('limits on the use of tokens are shown, published, and gone when an update leaves them out', async () => {
    const limits = { uses_per_hour: 100, distinct_tokens_per_hour: 20 };
    const created = await create({ limits });
    const { id, key } = created;
    expect(created).to.deep.include({ limits });
    expect((await api.send(`GET /applications/${id}`)).body).to.deep.include({ limits });
    expect((await published(key))?.value).to.deep.include({
      limits: { usesPerHour: 100, distinctTokensPerHour: 20 },
    });
    const body = { name: 'n', permissions: ['token:use'] };
    const one = await api.send(`PUT /applications/${id}`, {
      body: { ...body, limits: { uses_per_hour: 1 } },
    });
    expect(one.body).to.deep.include({ limits: { uses_per_hour: 1 } });
    expect((await published(key))?.value).to.deep.include({
      limits: { usesPerHour: 1, distinctTokensPerHour: 0 },
    });
    for (const none of [body, { ...body, limits: null }, { ...body, limits: {} }]) {
      const { body: answer } = await api.send(`PUT /applications/${id}`, { body: none });
      expect(answer).not.to.have.property('limits');
      expect((await published(key))?.value).to.have.property('limits', undefined);
    }
  });

  it('an expiring one is published with its maker', async () => {
    const rules = [
      { ...rule, container: undefined, conditions: [{ attribute: 'id', operator: 'equals', value: 'a' }] },
    ];
    const { key } = await create({ type: 'expiring', permissions: [], rules });
    expect((await published(key))?.value).to.include({
      madeBy: (await api.send('GET /applications/key')).body.id,
    });
  });

  it('wrong limits are a 400 that names each', async () => {
    const cases: [object, string][] = [
      [{ limits: 5 }, 'limits'],
      [{ limits: { uses_per_hour: 0 } }, 'limits.uses_per_hour'],
      [{ limits: { uses_per_hour: 1.5 } }, 'limits.uses_per_hour'],
      [{ limits: { uses_per_hour: '10' } }, 'limits.uses_per_hour'],
      [{ limits: { distinct_tokens_per_hour: 100_001 } }, 'limits.distinct_tokens_per_hour'],
      [{ limits: { distinct_tokens_per_hour: null } }, 'limits.distinct_tokens_per_hour'],
      [{ type: 'management', permissions: ['log:read'], limits: { uses_per_hour: 1 } }, 'limits'],
    ];
    for (const [body, path] of cases) {
      const sent = { name: 'n', type: 'private', permissions: ['token:use'], ...body };
      const answer = await api.send('POST /applications', { body: sent });
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(Object.keys(answer.body['errors'] as object)).to.deep.equal([path]);
    }
  });

  it('an update replaces name, permissions and rules, and is published under the same key', async () => {
    const { id, key } = await create({ rules: [rule] });
    const body = { name: 'renamed', permissions: ['token:use'], type: 'public' };
    const { status, body: updated } = await api.send(`PUT /applications/${id}`, { body });
    expect(status).to.equal(200);
    expect(updated).to.deep.include({
      name: 'renamed',
      type: 'private',
      permissions: ['token:use'],
      rules: [],
    });
    expect(updated).to.include.keys('modified_by', 'modified_at').and.not.to.have.property('key');
    expect((await published(key))?.value).to.deep.include({ permissions: ['token:use'], rules: [] });
    expect((await api.send(`GET /applications/${id}`)).body).to.deep.equal(updated);
  });

  it('regenerate needs no body, whatever its type; the old key dies, the new one works', async () => {
    const { id, key: old } = await create();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, body } = await api.send(`POST /applications/${id}/regenerate`, { headers });
    expect(status).to.equal(200);
    expect(body.key).to.match(/^key_/).and.not.to.equal(old);
    expect((await published(old))?.$case).to.equal('tombstone');
    expect((await published(body.key))?.$case).to.equal('application');
    expect((await api.send('GET /applications/key', { key: old })).status).to.equal(401);
    expect((await api.send('GET /applications/key', { key: body.key })).status).to.equal(200);
  });

  it('a delete answers 204, and its key dies everywhere', async () => {
    const { id, key } = await create();
    const answer = await api.send(`DELETE /applications/${id}`);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    expect((await published(key))?.$case).to.equal('tombstone');
    expect((await api.send('GET /permissions', { key })).status).to.equal(401);
    expect((await api.send(`GET /applications/${id}`)).status).to.equal(404);
  });

  it('an application may delete itself', async () => {
    const { id, key } = await create({ type: 'management', permissions: ['application:delete'] });
    expect((await api.send(`DELETE /applications/${id}`, { key })).status).to.equal(204);
    expect((await api.send(`DELETE /applications/${id}`, { key })).status).to.equal(401);
  });

  it('another tenant finds, changes and deletes nothing', async () => {
    const { id, key: own } = await create();
    const { managementKey: key } = await api.newTenant();
    const body = { name: 'x', permissions: ['token:use'] };
    expect((await api.send(`GET /applications/${id}`, { key })).status).to.equal(404);
    expect((await api.send(`PUT /applications/${id}`, { key, body })).status).to.equal(404);
    expect((await api.send(`POST /applications/${id}/regenerate`, { key })).status).to.equal(404);
    expect((await api.send(`DELETE /applications/${id}`, { key })).status).to.equal(404);
    expect((await api.send(`GET /applications?id=${id}`, { key })).body.data).to.deep.equal([]);
    expect((await api.send('GET /applications/key', { key: own })).status).to.equal(200);
  });

  const refused: readonly [why: string, body: object, paths: string[]][] = [
    ['nothing at all', {}, ['name', 'type', 'permissions']],
    ['an unknown type', { name: 'x', type: 'session', permissions: ['token:read'] }, ['type']],
    ['neither permissions nor rules', { name: 'x', type: 'private' }, ['permissions']],
    [
      'an unknown permission',
      { name: 'x', type: 'private', permissions: ['token:pci:read:high'] },
      ['permissions[0]'],
    ],
    [
      'permissions that the type may not hold',
      { name: 'x', type: 'public', permissions: ['token:create', 'token:read', 'proxy:read'] },
      ['permissions[1]', 'permissions[2]'],
    ],
    [
      'management permissions elsewhere',
      { name: 'x', type: 'private', permissions: ['proxy:read'] },
      ['permissions[0]'],
    ],
    [
      'token permissions in management',
      { name: 'x', type: 'management', permissions: ['token:read'] },
      ['permissions[0]'],
    ],
    [
      'rules in management',
      { name: 'x', type: 'management', permissions: ['proxy:read'], rules: [rule] },
      ['rules'],
    ],
    [
      'several problems in several rules',
      {
        name: 'a\nb',
        type: 'private',
        rules: [
          { ...rule, container: 'pci' },
          { ...rule, transform: 'show' },
        ],
      },
      ['name', 'rules[0].container', 'rules[1].transform', 'rules[1].priority'],
    ],
    [
      'wrong types',
      { name: 5, type: ['private'], permissions: 'token:read', rules: {} },
      ['name', 'type', 'permissions', 'rules'],
    ],
    [
      'what is wrong for any type beside an unknown one',
      { name: 'x', type: 'x', permissions: ['proxy:read', 'x'], rules: [{ ...rule, transform: 'show' }] },
      ['type', 'permissions[1]', 'rules[0].transform'],
    ],
  ];
  for (const [why, body, paths] of refused) {
    it(`${why}: 400, every problem by its path`, async () => {
      const answer = await api.send('POST /applications', { body });
      expect(answer.status).to.equal(400);
      expect(answer.body.title).to.equal('One or more validation errors occurred.');
      expect(answer.body.errors).to.have.all.keys(paths);
    });
  }

  it('GET /permissions is a bare array for any key, and can be narrowed to a type', async () => {
    const list = async (path: string) =>
      JSON.parse((await api.send(path, { key: api.tenant.publicKey })).text) as Body[];
    expect((await list('GET /permissions/')).map(({ type }) => type)).to.include.members([
      'token:use',
      'proxy:read',
    ]);
    const types = (await list('GET /permissions?application_type=private')).map(({ type }) => type);
    expect(types).to.deep.equal(permissionsFor('private'));
    expect((await api.send('GET /permissions?application_type=x')).status).to.equal(400);
  });
});
