import { allPermissions, permissionsFor } from '@glovebox/access/permission';
import { expect } from 'chai';

import { type OtherTenant, anotherTenant } from '../harness/another-tenant.ts';
import { type Json, apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

/** Tenants, over the whole system (contract/tenants.md#tenant). */
describe('the administration of a tenant', () => {
  let api: ReturnType<typeof apiOf>;
  let tenant: OtherTenant;
  let privateKey: string;
  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    tenant = await anotherTenant(system, 'Administered');
    const rule = { description: '', priority: 1, container: '/', transform: 'reveal' };
    const permissions = ['token:create', 'token:read', 'token:delete'];
    const body = { name: 'tokens', type: 'private', rules: [{ ...rule, permissions }] };
    privateKey = (await manage('POST', '/applications', body)).json.key;
  });

  const manage = (method: string, path: string, body?: unknown) =>
    api.send(method, path, { key: tenant.management_api_key, ...(body === undefined ? {} : { body }) });

  it('counts tokens by type, and those that were active this month', async () => {
    const create = async (body: object) =>
      (await api.send('POST', '/tokens', { key: privateKey, body })).json as Json;
    const before = await manage('GET', '/tenants/self/reports/usage');
    expect(before.status, before.text).to.equal(200);
    expect(before.json).to.deep.equal({
      total_tokens: 0,
      token_report: {
        metrics_by_type: {},
        total_tokens: 0,
        included_monthly_active_tokens: 2_147_483_647,
        monthly_active_tokens: 0,
        monthly_active_token_history: [],
      },
    });
    await create({ type: 'card', data: { number: '4242424242424242' } });
    const first = await create({ type: 'token', data: 'a' });
    const last = await create({ type: 'token', data: 'b' });
    await api.send('GET', `/tokens/${last.id}`, { key: privateKey });
    await api.send('DELETE', `/tokens/${first.id}`, { key: privateKey });
    const { json } = await manage('GET', '/tenants/self/reports/usage/');
    const { metrics_by_type: metrics, ...rest } = json.token_report;
    expect(metrics).to.have.all.keys('card', 'token');
    expect(metrics.card.count).to.equal(1);
    expect(metrics.token.count).to.equal(1);
    expect(Date.parse(metrics.token.last_created_at)).to.equal(Date.parse(last.created_at));
    expect(json.total_tokens).to.equal(2);
    expect(rest).to.include({ total_tokens: 2, monthly_active_tokens: 3 });
  });

  it('has settings that must mean something, and that the data plane acts on', async () => {
    const wrong = await manage('PUT', '/tenants/self', {
      name: 'Administered',
      settings: { fingerprint_tokens: 'no', note: 'kept' },
    });
    expect(wrong.status).to.equal(400);
    expect(wrong.json).to.deep.include({
      errors: { 'settings.fingerprint_tokens': ['must be "true" or "false"'] },
      title: 'One or more validation errors occurred.',
      status: 400,
      detail: 'settings.fingerprint_tokens: must be "true" or "false"',
    });
    const settings = { fingerprint_tokens: 'false', note: 'kept' };
    const changed = await manage('PUT', '/tenants/self', { name: 'Administered', settings });
    expect(changed.status).to.equal(200);
    expect(changed.json).to.deep.include({ settings, type: 'production' });
    const body = { type: 'token', data: 'unprinted' };
    const token = await api.send('POST', '/tokens', { key: privateKey, body });
    expect(token.json).not.to.have.property('fingerprint');
  });

  it('has its owner for its only member', async () => {
    const { owner_id: id } = (await manage('GET', '/tenants/self')).json;
    const { status, json } = await manage('GET', `/tenants/self/members?user_id=${id}`);
    expect(status).to.equal(200);
    expect(json.pagination).to.deep.equal({ total_items: 1, page_number: 1, page_size: 20, total_pages: 1 });
    expect(json.data[0]).to.deep.include({ id, tenant_id: tenant.tenant_id, role: 'OWNER', user: { id } });
    const removed = await manage('DELETE', `/tenants/self/members/${id}`);
    expect(removed.json).to.deep.include({
      errors: {},
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The owner of a tenant cannot be removed.',
    });
    const { owner_id: stranger } = (await api.manage('GET', '/tenants/self')).json;
    expect((await manage('DELETE', `/tenants/self/members/${stranger}`)).status).to.equal(404);
  });

  it('keeps invitations, sends them again and takes them back', async () => {
    const made = await manage('POST', '/tenants/self/invitations', { email: 'ann@example.com' });
    expect(made.status, made.text).to.equal(201);
    const { id } = made.json;
    expect(made.json).to.include({
      tenant_id: tenant.tenant_id,
      email: 'ann@example.com',
      status: 'PENDING',
    });
    const again = await manage('POST', `/tenants/self/invitations/${id}/resend`, {});
    expect(again.status).to.equal(200);
    expect(Date.parse(again.json.expires_at)).to.be.at.least(Date.parse(made.json.expires_at));
    expect((await manage('GET', `/tenants/self/invitations/${id}`)).json).to.deep.equal(again.json);
    const listed = await manage('GET', '/tenants/self/invitations?status=PENDING');
    expect(listed.json.data).to.deep.equal([again.json]);
    expect((await api.manage('GET', `/tenants/self/invitations/${id}`)).status).to.equal(404);
    expect((await api.manage('DELETE', `/tenants/self/invitations/${id}`)).status).to.equal(404);
    expect((await manage('DELETE', `/tenants/self/invitations/${id}`)).status).to.equal(204);
    expect((await manage('GET', '/tenants/self/invitations')).json.data).to.deep.equal([]);
  });

  it('asks for the permission of each, and a key', async () => {
    const { owner_id: id } = (await manage('GET', '/tenants/self')).json;
    for (const [method, path] of [
      ['GET', '/tenants/self/reports/usage'],
      ['GET', '/tenants/self/members'],
      ['DELETE', `/tenants/self/members/${id}`],
      ['GET', '/tenants/self/invitations'],
    ] as const) {
      expect((await api.send(method, path)).status, path).to.equal(401);
      expect((await api.send(method, path, { key: privateKey })).status, path).to.equal(403);
    }
  });
});

describe('the list of permissions', () => {
  it('is a bare array of all, or of those that a type of application may hold, for any key', async () => {
    const system = await sharedSystem();
    const list = async (query: string) =>
      (await apiOf(system).send('GET', `/permissions/${query}`, { key: system.dev.public_api_key })).json;
    expect(await list('')).to.deep.equal(
      allPermissions.map(({ type, description, applicationTypes }) => ({
        type,
        description,
        application_types: applicationTypes,
      })),
    );
    for (const type of ['private', 'public', 'management', 'expiring'] as const) {
      const listed = await list(`?application_type=${type}`);
      expect(listed.map((one: Json) => one.type)).to.deep.equal(permissionsFor(type));
    }
    expect((await list('?application_type=session')).errors).to.have.all.keys('application_type');
  });
});
