import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';
const path = '/tenants/self/members';

describe('members', () => {
  let api: TestApi;
  let tenant: Body & { owner_id: string };

  before(async () => {
    api = await startTestApi();
    tenant = (await api.send('GET /tenants/self')).body as Body & { owner_id: string };
  });

  after(() => api[Symbol.asyncDispose]());

  const list = async (query = '') => (await api.send(`GET ${path}${query}`)).body;

  it('the owner is the first one', async () => {
    expect(await list()).to.deep.equal({
      pagination: { total_items: 1, page_number: 1, page_size: 20, total_pages: 1 },
      data: [
        {
          id: tenant.owner_id,
          tenant_id: tenant.id,
          role: 'OWNER',
          user: { id: tenant.owner_id },
          created_by: tenant.owner_id,
          created_at: tenant.created_at,
        },
      ],
    });
  });

  it('user_id narrows the list, repeatedly; pages have at most 50', async () => {
    const total = async (query: string) => (await list(query)).pagination.total_items;
    expect(await total(`?user_id=${nobody}`)).to.equal(0);
    expect(await total(`?user_id=${nobody}&user_id=${tenant.owner_id}`)).to.equal(1);
    expect((await list('?page=2')).data).to.deep.equal([]);
    expect((await list('?size=50')).pagination.page_size).to.equal(50);
    for (const [query, name] of [
      ['size=51', 'size'],
      ['user_id=x', 'user_id[0]'],
    ]) {
      const answer = await api.send(`GET ${path}?${query}`);
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys(name ?? '');
    }
  });

  it('the owner stays: a removal and another role are a 422, anybody else is a 404', async () => {
    const owner = `${path}/${tenant.owner_id}`;
    expectProblem(await api.send(`DELETE ${owner}`), 422);
    expectProblem(await api.send(`PUT ${owner}`, { body: { role: 'ADMIN' } }), 422);
    const same = await api.send(`PUT ${owner}`, { body: { role: 'OWNER' } });
    expect([same.status, same.body]).to.deep.equal([200, (await list()).data[0]]);
    const wrong = await api.send(`PUT ${owner}`, { body: { role: 'KING' } });
    expectProblem(wrong, 400);
    expect(wrong.body.errors).to.deep.equal({
      role: ['must be one of OWNER, ADMIN, DEVELOPER, AUDITOR, VIEWER'],
    });
    for (const id of [nobody, 'x']) {
      expectProblem(await api.send(`DELETE ${path}/${id}`), 404);
      expectProblem(await api.send(`PUT ${path}/${id}`, { body: { role: 'ADMIN' } }), 404);
    }
  });

  it('401 without a key, 403 without the permission, 404 for another tenant’s', async () => {
    const { managementKey: stranger } = await api.newTenant();
    const requests: readonly [request: string, permission: string][] = [
      [`GET ${path}`, 'tenant:member:read'],
      [`PUT ${path}/${tenant.owner_id}`, 'tenant:member:update'],
      [`DELETE ${path}/${tenant.owner_id}`, 'tenant:member:delete'],
    ];
    for (const [request, permission] of requests) {
      const body = request.startsWith('PUT') ? { body: { role: 'OWNER' } } : {};
      expectProblem(await api.send(request, { ...body, key: null }), 401);
      const answer = await api.send(request, { ...body, key: api.tenant.privateKey });
      expectProblem(answer, 403);
      expect(answer.body.detail).to.include(`The permission ${permission} is required. Only a management`);
      if (!request.startsWith('GET')) expectProblem(await api.send(request, { ...body, key: stranger }), 404);
    }
  });
});
