import { expect } from 'chai';

import { type OtherTenant, anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

const problem = (title: string, status: number, detail: string) => ({ errors: {}, title, status, detail });

/** It appears some seconds after a key was used. */
const withoutUse = (key: Json): Json => ({
  id: key.id,
  created_by: key.created_by,
  created_at: key.created_at,
});

/** Several keys of one application, over the whole system (contract/tenants.md#application-keys). */
describe('the keys of an application', () => {
  let api: ReturnType<typeof apiOf>;
  let other: OtherTenant;
  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    other = await anotherTenant(system, 'key thieves');
  });

  const creator = { name: 'rotated', type: 'private', permissions: ['token:create'] };
  /** What the data plane says to a key. */
  const useOf = async (key: string) =>
    (await api.send('POST', '/tokens', { key, body: { type: 'token', data: 'x' } })).status;

  it('are rotated without a moment in which none works: each works and ends with its answer', async () => {
    const application: Json = await api.application(creator);
    const { key: first, id } = application;
    expect(application.keys).to.have.length(1);
    expect(application.keys[0]).to.have.all.keys('id', 'created_by', 'created_at');
    const added = await api.manage('POST', `/applications/${id}/keys`);
    expect(added.status, added.text).to.equal(201);
    expect(added.json).to.have.all.keys('id', 'key', 'created_by', 'created_at');
    expect(added.headers['location']).to.equal(`/applications/${id}/keys/${added.json.id}`);
    expect([await useOf(first), await useOf(added.json.key)]).to.deep.equal([201, 201]);

    const { key: second, ...shown } = added.json;
    const listed = await api.manage('GET', `/applications/${id}/keys/`);
    expect(listed.json.map(withoutUse)).to.deep.equal([application.keys[0], shown]);
    const one = await api.manage('GET', `/applications/${id}/keys/${shown.id}`);
    expect([one.status, withoutUse(one.json)]).to.deep.equal([200, shown]);

    const removed = await api.manage('DELETE', `/applications/${id}/keys/${application.keys[0].id}`);
    expect([removed.status, removed.text]).to.deep.equal([204, '']);
    expect([await useOf(first), await useOf(second)]).to.deep.equal([401, 201]);
    expect((await api.manage('GET', `/applications/${id}`)).json.keys).to.deep.equal([shown]);
  });

  it('show when each was last used, whatever its kind', async () => {
    const { id, key } = await api.application(creator);
    const { json: unused } = await api.manage('POST', `/applications/${id}/keys`);
    const manager = await api.application({
      name: 'm',
      type: 'management',
      permissions: ['application:read'],
    });
    const usesOf = async (of: string): Promise<(string | undefined)[]> => {
      const { json } = await api.send('GET', `/applications/${of}/keys`, { key: manager.key });
      return json.map((one: Json) => one.last_used_at);
    };
    const begun = Date.now();
    await useOf(key);
    await until('its use is known', async () => (await usesOf(id))[0] !== undefined);
    const [used, other] = await usesOf(id);
    expect(Date.parse(used!)).to.be.within(begun, Date.now());
    expect(other).to.equal(undefined);
    const one = await api.manage('GET', `/applications/${id}/keys/${unused.id}`);
    expect(one.json).to.not.have.property('last_used_at');
    await until('the use of the manager is known', async () => (await usesOf(manager.id))[0] !== undefined);
  });

  it('are three at most, and regenerate refuses to choose among several', async () => {
    const { id, key } = await api.application(creator);
    for (const _ of [2, 3]) {
      expect((await api.manage('POST', `/applications/${id}/keys`)).status).to.equal(201);
    }
    const fourth = await api.manage('POST', `/applications/${id}/keys`);
    expect(fourth.status).to.equal(422);
    expect(fourth.json).to.deep.include(
      problem(
        'Unprocessable Content',
        422,
        'An application has at most 3 keys. Delete one to create another.',
      ),
    );
    const regenerated = await api.manage('POST', `/applications/${id}/regenerate`);
    expect(regenerated.status).to.equal(422);
    expect(await useOf(key)).to.equal(201);
  });

  it('may be none: create_key false, and then one that is made later', async () => {
    const application = await api.application({ ...creator, create_key: false });
    expect(application).not.to.have.property('key');
    expect(application.keys).to.deep.equal([]);
    const { json } = await api.manage('POST', `/applications/${application.id}/keys`);
    expect(await useOf(json.key)).to.equal(201);
  });

  it('are refused to others: 401, 403 and, for another tenant, 404', async () => {
    const { id, keys } = await api.application(creator);
    const { dev } = await sharedSystem();
    const path = `/applications/${id}/keys`;
    for (const [method, target] of [
      ['POST', path],
      ['GET', path],
      ['GET', `${path}/${keys[0].id}`],
      ['DELETE', `${path}/${keys[0].id}`],
    ] as const) {
      expect((await api.send(method, target)).status).to.equal(401);
      expect((await api.send(method, target, { key: dev.private_api_key })).status).to.equal(403);
      const stolen = await api.send(method, target, { key: other.management_api_key });
      expect(stolen.status).to.equal(404);
      expect(stolen.text).not.to.contain(id);
    }
  });
});

describe('application templates', () => {
  it('are shown to any key, one and all, and make applications as they are', async () => {
    const system = await sharedSystem();
    const api = apiOf(system);
    const key = system.dev.public_api_key;
    const { status, json } = await api.send('GET', '/application-templates/', { key });
    expect(status).to.equal(200);
    for (const template of json) {
      const one = await api.send('GET', `/application-templates/${template.id}`, { key });
      expect(one.json).to.deep.equal(template);
      const { name, application_type: type, permissions = [], rules = [] } = template;
      const made = await api.application({ name, type, permissions, rules });
      expect(made).to.deep.include({ name, type, permissions, rules });
    }
    expect((await api.send('GET', '/application-templates')).status).to.equal(401);
    const unknown = '/application-templates/7d9f8a52-0000-4000-8000-000000000000';
    expect((await api.send('GET', unknown, { key })).status).to.equal(404);
  });
});
