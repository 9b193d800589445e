import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { inDatabase } from './harness/stores.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';
const path = '/tenants/self/invitations';
const hours72 = 72 * 3_600_000;

interface Invitation extends Body {
  readonly expires_at: string;
  readonly created_by: string;
}

describe('invitations', () => {
  let api: TestApi;
  let ownId: string;

  before(async () => {
    api = await startTestApi();
    ownId = (await api.send('GET /applications/key')).body.id;
  });

  after(() => api[Symbol.asyncDispose]());

  const invite = async (email = 'ann@example.com', key?: string): Promise<Invitation> => {
    const answer = await api.send(`POST ${path}`, { body: { email }, ...(key === undefined ? {} : { key }) });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as Invitation;
  };
  const expire = (id: string) =>
    inDatabase(
      api.config.databaseUrl.reveal(),
      'UPDATE tenant_invitations SET expires_at = now() WHERE id = $1',
      [id],
    );

  it('a create answers 201 with a pending invitation that is good for 72 hours', async () => {
    const answer = await api.send(`POST ${path}/`, { body: { email: 'ann@example.com', role: 'ADMIN' } });
    expect(answer.status, answer.text).to.equal(201);
    const { id, created_at: createdAt, expires_at: expiresAt, ...rest } = answer.body as Invitation;
    expect(rest).to.deep.equal({
      tenant_id: api.tenant.id,
      email: 'ann@example.com',
      role: 'ADMIN',
      status: 'PENDING',
      created_by: ownId,
    });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).to.equal(hours72);
    expect(answer.headers.get('location')).to.equal(`${path}/${id}`);
    expect((await api.send(`GET ${path}/${id}`)).body).to.deep.equal(answer.body);
  });

  it('an expired one says so, and is pending again for 72 hours once it is sent again', async () => {
    const { id, created_at: createdAt } = await invite();
    await expire(id);
    expect((await api.send(`GET ${path}/${id}`)).body).to.include({ status: 'EXPIRED' });
    for (const sent of [{ body: {} }, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }]) {
      const answer = await api.send(`POST ${path}/${id}/resend`, sent);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body).to.include({ id, status: 'PENDING', created_at: createdAt, modified_by: ownId });
      const { expires_at: expiresAt, modified_at: modifiedAt } = answer.body as Invitation;
      expect(Date.parse(expiresAt) - Date.parse(modifiedAt)).to.equal(hours72);
      expect((await api.send(`GET ${path}/${id}`)).body).to.deep.equal(answer.body);
    }
  });

  it('the list is cut into pages, newest first, and can be narrowed by status', async () => {
    const { managementKey: key } = await api.newTenant();
    const made = [await invite('a@x', key), await invite('b@x', key), await invite('c@x', key)];
    await expire(made[1]?.id ?? '');
    const list = async (query: string) => (await api.send(`GET ${path}${query}`, { key })).body;
    const emails = async (query: string) =>
      (await list(query)).data.map((one) => (one as Body & { email: string }).email);
    expect(await emails('')).to.deep.equal(['c@x', 'b@x', 'a@x']);
    expect(await emails('?status=PENDING')).to.deep.equal(['c@x', 'a@x']);
    expect(await emails('?status=EXPIRED')).to.deep.equal(['b@x']);
    expect((await list('?status=PENDING&size=1&page=2')).pagination).to.deep.equal({
      total_items: 2,
      page_number: 2,
      page_size: 1,
      total_pages: 2,
    });
    for (const query of ['status=DONE', 'size=101', 'page=-1']) {
      const answer = await api.send(`GET ${path}?${query}`, { key });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys(query.split('=')[0] ?? '');
    }
  });

  it('a delete answers 204, and then there is none', async () => {
    const { id } = await invite();
    const answer = await api.send(`DELETE ${path}/${id}`);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    for (const request of [`GET ${path}/${id}`, `DELETE ${path}/${id}`, `POST ${path}/${id}/resend`]) {
      expectProblem(await api.send(request), 404);
    }
  });

  const refused: readonly [what: string, body: unknown, problem: string][] = [
    ['no email', {}, 'is required'],
    ['null', { email: null }, 'is required'],
    ['a number', { email: 5 }, 'must be a string'],
    ['an empty one', { email: '' }, 'must not be empty'],
    ['331 characters', { email: `${'a'.repeat(329)}@b` }, 'must be at most 330 characters long'],
    ['no address', { email: 'ann' }, 'must be an email address'],
    ['a second line', { email: 'a@b\nBcc: c@d' }, 'must be an email address'],
  ];
  for (const [what, body, problem] of refused) {
    it(`${what} is a 400 that says why`, async () => {
      const answer = await api.send(`POST ${path}`, { body });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.deep.equal({ email: [problem] });
    });
  }

  it('401 without a key, 403 that names the missing permission, 404 for another tenant’s', async () => {
    const { id } = await invite();
    const make = async (permissions: string[]) =>
      (await api.send('POST /applications', { body: { name: 'x', type: 'management', permissions } })).body
        .key;
    const creator = await make(['tenant:invitation:create']);
    const { managementKey: stranger } = await api.newTenant();
    const body = { email: 'x@y' };
    const requests: readonly [request: string, permission: string, sent: object][] = [
      [`POST ${path}`, 'tenant:invitation:create', { body }],
      [`GET ${path}`, 'tenant:invitation:read', {}],
      [`GET ${path}/${id}`, 'tenant:invitation:read', {}],
      [`DELETE ${path}/${id}`, 'tenant:invitation:delete', {}],
      [`POST ${path}/${id}/resend`, 'tenant:invitation:create', {}],
    ];
    for (const [request, permission, sent] of requests) {
      expectProblem(await api.send(request, { ...sent, key: null }), 401);
      const answer = await api.send(request, { ...sent, key: api.tenant.privateKey });
      expectProblem(answer, 403);
      expect(answer.body.detail).to.include(`The permission ${permission} is required. Only a management`);
      if (!request.includes(id)) continue;
      expectProblem(await api.send(request, { ...sent, key: stranger }), 404);
      expectProblem(await api.send(request.replace(id, nobody), sent), 404);
      expectProblem(await api.send(request.replace(id, 'x'), sent), 404);
    }
    const halfway = await api.send(`POST ${path}/${id}/resend`, { key: creator });
    expectProblem(halfway, 403);
    expect(halfway.body.detail).to.equal('The permission tenant:invitation:update is required.');
    const both = await make(['tenant:invitation:create', 'tenant:invitation:update']);
    expect((await api.send(`POST ${path}/${id}/resend`, { key: both })).status).to.equal(200);
    expect((await api.send(`GET ${path}`, { key: stranger })).body.data).to.deep.equal([]);
  });

  it('one that is made while its tenant is deleted is gone too, and nothing answers 500', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { managementKey: key } = await api.newTenant();
      const answers = await Promise.all([
        api.send(`POST ${path}`, { key, body: { email: 'a@b' } }),
        api.send('DELETE /tenants/self', { key }),
        api.send(`POST ${path}`, { key, body: { email: 'a@b' } }),
      ]);
      for (const { status, text } of answers) expect(status, text).to.be.oneOf([201, 204, 401]);
    }
  });
});
