import { hashKey } from '@glovebox/access/api-key';
import { applicationIdRecord, applicationRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase } from './harness/stores.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';

type Keyed = Body & { readonly keys: Body[] };

describe('keys of an application', () => {
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

  const create = async (body: object = {}): Promise<Keyed> => {
    const answer = await api.send('POST /applications', {
      body: { name: 'support', type: 'private', permissions: ['token:create'], ...body },
    });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as Keyed;
  };
  const addKey = async (id: string): Promise<Body> => {
    const answer = await api.send(`POST /applications/${id}/keys`);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const keysOf = async (id: string) =>
    JSON.parse((await api.send(`GET /applications/${id}/keys`)).text) as Body[];
  const works = async (key: string) => (await api.send('GET /applications/key', { key })).status === 200;
  const published = async (key: string) => (await eyes.find(applicationRecord(hashKey(key))))?.record?.$case;

  it('a create of an application shows its key’s text once, and who made it when', async () => {
    const { id, key, keys } = await create();
    expect(keys).to.have.length(1);
    expect(keys[0]).to.have.all.keys('id', 'created_by', 'created_at');
    expect((await api.send(`GET /applications/${id}`)).body).to.deep.include({ keys });
    expect((await api.send(`GET /applications?id=${id}`)).body.data[0]).to.deep.include({ keys });
    expect((await api.send('GET /applications/key', { key })).body).to.deep.include({ keys });
  });

  it('create_key: false makes an application without a key, which can be given one', async () => {
    const created = await create({ create_key: false });
    expect(created).not.to.have.property('key');
    expect(created.keys).to.deep.equal([]);
    expect((await eyes.find(applicationIdRecord(created.id)))?.record?.$case).to.equal('application');
    expect(await works((await addKey(created.id)).key)).to.equal(true);
    const other = await create({ create_key: false });
    const regenerated = (await api.send(`POST /applications/${other.id}/regenerate`)).body;
    expect(await works(regenerated.key)).to.equal(true);
  });

  it('create_key is a boolean; null means the default', async () => {
    expect(await create({ create_key: null })).to.have.property('key');
    const body = { name: '', type: 'private', permissions: ['token:use'], create_key: 'no' };
    const answer = await api.send('POST /applications', { body });
    expectProblem(answer, 400);
    expect(answer.body.errors).to.deep.equal({
      name: ['must not be empty'],
      create_key: ['must be a boolean'],
    });
  });

  it('a further key answers 201, needs no body, works at once, and leaves the others working', async () => {
    const { id, key: first } = await create();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await api.send(`POST /applications/${id}/keys/`, { headers });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body).to.have.all.keys('id', 'key', 'created_by', 'created_at');
    expect(answer.body.key).to.match(/^key_[1-9A-HJ-NP-Za-km-z]{22}$/);
    expect(answer.headers.get('location')).to.equal(`/applications/${id}/keys/${answer.body.id}`);
    for (const key of [first, answer.body.key]) {
      expect(await works(key)).to.equal(true);
      expect(await published(key)).to.equal('application');
    }
    const read = (await api.send(`GET /applications/${id}`)).body;
    expect(read).not.to.have.any.keys('modified_by', 'modified_at');
  });

  it('the list is a bare array, oldest first, and can be narrowed by id; no answer but the create’s has the text', async () => {
    const { id, keys } = await create();
    const { key: text, ...second } = await addKey(id);
    expect(await keysOf(id)).to.deep.equal([keys[0], second]);
    const one = await api.send(`GET /applications/${id}/keys?id=${second.id}&type=private`);
    expect(JSON.parse(one.text)).to.deep.equal([second]);
    expect((await api.send(`GET /applications/${id}/keys?id=x`)).body.errors).to.have.all.keys('id[0]');
    expect((await api.send(`GET /applications/${id}/keys/${second.id.toUpperCase()}`)).body).to.deep.equal(
      second,
    );
    const url = api.config.databaseUrl.reveal();
    for (const table of ['applications', 'application_keys', 'outbox']) {
      const rows = await inDatabase<{ text: string }>(url, `SELECT t::text AS text FROM ${table} t`);
      expect(JSON.stringify(rows)).not.to.contain(text);
    }
  });

  it('a delete answers 204 and takes that key only, also the last', async () => {
    const { id, key: first, keys } = await create();
    const second = await addKey(id);
    const answer = await api.send(`DELETE /applications/${id}/keys/${second.id}`);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    expect([await works(first), await works(second.key)]).to.deep.equal([true, false]);
    expect(await published(second.key)).to.equal('tombstone');
    expect((await api.send(`DELETE /applications/${id}/keys/${second.id}`)).status).to.equal(404);
    expect((await api.send(`DELETE /applications/${id}/keys/${keys[0]?.id}`)).status).to.equal(204);
    expect([await works(first), await published(first)]).to.deep.equal([false, 'tombstone']);
    expect((await eyes.find(applicationIdRecord(id)))?.record?.$case).to.equal('application');
    expect(await keysOf(id)).to.deep.equal([]);
  });

  it('a fourth key is a 422, be they asked for one after the other or at once', async () => {
    const { id } = await create();
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.send(`POST /applications/${id}/keys`)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([201, 201, 422, 422]);
    const refused = await api.send(`POST /applications/${id}/keys`);
    expectProblem(refused, 422);
    expect(refused.body.detail).to.equal('An application has at most 3 keys. Delete one to create another.');
    expect(await keysOf(id)).to.have.length(3);
  });

  it('regenerate replaces the only key, and is a 422 that changes nothing when there are several', async () => {
    const { id, key: first, keys } = await create();
    const replaced = (await api.send(`POST /applications/${id}/regenerate`)).body as Keyed;
    expect(replaced.keys).to.have.length(1);
    expect(replaced.keys[0]?.id).not.to.equal(keys[0]?.id);
    expect([await works(first), await works(replaced.key)]).to.deep.equal([false, true]);
    const second = await addKey(id);
    expectProblem(await api.send(`POST /applications/${id}/regenerate`), 422);
    expect([await works(replaced.key), await works(second.key)]).to.deep.equal([true, true]);
  });

  it('an update of the application reaches all of its keys; a delete kills all', async () => {
    const { id, key: first } = await create();
    const second = await addKey(id);
    const body = { name: 'renamed', permissions: ['token:use'] };
    const updated = (await api.send(`PUT /applications/${id}`, { body })).body as Keyed;
    expect(updated.keys).to.have.length(2);
    for (const key of [first, second.key]) {
      const record = (await eyes.find(applicationRecord(hashKey(key))))?.record;
      expect(record?.value).to.deep.include({ permissions: ['token:use'] });
    }
    expect((await api.send(`DELETE /applications/${id}`)).status).to.equal(204);
    for (const key of [first, second.key]) expect(await published(key)).to.equal('tombstone');
  });

  it('a create that is repeated with its idempotency key makes one key, and shows it again', async () => {
    const { id } = await create();
    const sent = { headers: { 'SVC-IDEMPOTENCY-KEY': 'one key, please' } };
    const first = await api.send(`POST /applications/${id}/keys`, sent);
    const again = await api.send(`POST /applications/${id}/keys`, sent);
    expect([first.status, again.status, again.body]).to.deep.equal([201, 201, first.body]);
    expect(await keysOf(id)).to.have.length(2);
    expect(await works(first.body.key)).to.equal(true);
  });

  it('who lacks the permission is refused, and another tenant or a wrong id finds nothing', async () => {
    const { id, keys } = await create();
    const other = await create();
    const keyId = keys[0]?.id ?? '';
    const { managementKey: stranger } = await api.newTenant();
    const requests = [
      [`POST /applications/${id}/keys`, 'application:create'],
      [`GET /applications/${id}/keys`, 'application:read'],
      [`GET /applications/${id}/keys/${keyId}`, 'application:read'],
      [`DELETE /applications/${id}/keys/${keyId}`, 'application:delete'],
    ] as const;
    for (const [request, permission] of requests) {
      expectProblem(await api.send(request, { key: null }), 401);
      const refused = await api.send(request, { key: api.tenant.privateKey });
      expectProblem(refused, 403);
      expect(refused.body.detail).to.include(`The permission ${permission} is required. Only a management`);
      expectProblem(await api.send(request, { key: stranger }), 404);
      expectProblem(await api.send(request.replace(id, nobody)), 404);
      expectProblem(await api.send(request.replace(id, 'x')), 404);
    }
    for (const wrong of [nobody, 'x', '%00', other.keys[0]?.id]) {
      expectProblem(await api.send(`GET /applications/${id}/keys/${wrong}`), 404);
      expectProblem(await api.send(`DELETE /applications/${id}/keys/${wrong}`), 404);
    }
    expect(await keysOf(id)).to.have.length(1);
    expect(await keysOf(other.id)).to.have.length(1);
  });
});
