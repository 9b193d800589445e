import { expect } from 'chai';

import { type TestApi, startTestApi } from './harness/api.ts';

const id = '7d9f8a52-0000-4000-8000-000000000000';

/**
 * Each operation and the permission that it asks for (contract/errors.md#status-codes; contract/tenants.md#tenant and
 * contract/tenants.md#applications).
 */
const operations: readonly [request: string, permission: string][] = [
  ['POST /proxies', 'proxy:create'],
  ['GET /proxies', 'proxy:read'],
  [`GET /proxies/${id}`, 'proxy:read'],
  [`PUT /proxies/${id}`, 'proxy:update'],
  [`DELETE /proxies/${id}`, 'proxy:delete'],
  ['POST /reactor-formulas', 'reactor:create'],
  ['GET /reactor-formulas', 'reactor:read'],
  [`GET /reactor-formulas/${id}`, 'reactor:read'],
  [`PUT /reactor-formulas/${id}`, 'reactor:update'],
  [`DELETE /reactor-formulas/${id}`, 'reactor:delete'],
  ['POST /reactors', 'reactor:create'],
  ['GET /reactors', 'reactor:read'],
  [`GET /reactors/${id}`, 'reactor:read'],
  [`PUT /reactors/${id}`, 'reactor:update'],
  [`DELETE /reactors/${id}`, 'reactor:delete'],
  ['POST /applications', 'application:create'],
  ['GET /applications', 'application:read'],
  [`GET /applications/${id}`, 'application:read'],
  [`PUT /applications/${id}`, 'application:update'],
  [`POST /applications/${id}/regenerate`, 'application:update'],
  [`DELETE /applications/${id}`, 'application:delete'],
  ['GET /tenants/self', 'tenant:read'],
  ['PUT /tenants/self', 'tenant:update'],
  ['DELETE /tenants/self', 'tenant:delete'],
];
const management = [...new Set(operations.map(([, permission]) => permission))];

describe('authentication', () => {
  let api: TestApi;

  before(async () => {
    api = await startTestApi();
  });

  after(() => api[Symbol.asyncDispose]());

  const keyWith = async (permissions: readonly string[]): Promise<string> => {
    const body = { name: 'k', type: 'management', permissions };
    return (await api.send('POST /applications', { body })).body.key;
  };

  for (const [request, permission] of operations) {
    it(`${request.replace(id, '{id}')} asks for ${permission} and nothing else`, async () => {
      const others = await keyWith(management.filter((other) => other !== permission));
      const refused = await api.send(request, {
        key: others,
        body: request.startsWith('P') ? {} : undefined,
      });
      expect(refused.status).to.equal(403);
      expect(refused.body).to.include({
        title: 'Forbidden',
        detail: `The permission ${permission} is required.`,
      });
      // DELETE /tenants/self would end the tenant that the other tests use.
      if (permission === 'tenant:delete') return;
      const only = await keyWith([permission]);
      const let_in = await api.send(request, { key: only, body: request.startsWith('P') ? {} : undefined });
      expect(let_in.status).to.be.oneOf([200, 400, 404]);
    });

    it(`${request.replace(id, '{id}')} answers 401 without a key, with an unknown one, and with what is none`, async () => {
      for (const key of [null, 'key_1111111111111111111111', 'x', "' OR 1=1 --", 'k'.repeat(5000)]) {
        const answer = await api.send(request, { key });
        expect(answer.status).to.equal(401);
        expect(answer.body)
          .to.include({ title: 'Unauthorized', status: 401 })
          .and.to.include.keys('errors', 'detail');
      }
    });
  }

  it('a private or public application manages nothing', async () => {
    for (const key of [api.tenant.privateKey, api.tenant.publicKey]) {
      for (const [request] of operations) {
        expect((await api.send(request, { key })).status, request).to.equal(403);
      }
    }
  });

  it('BT-API-KEY is as good as SVC-API-KEY, in any case', async () => {
    for (const name of ['BT-API-KEY', 'bt-api-key', 'svc-api-key']) {
      const headers = { [name]: api.tenant.managementKey };
      expect((await api.send('GET /proxies', { key: null, headers })).status).to.equal(200);
    }
  });

  it('two keys at once are no key', async () => {
    const headers = { 'SVC-API-KEY': `${api.tenant.managementKey}, ${api.tenant.managementKey}` };
    expect((await api.send('GET /proxies', { key: null, headers })).status).to.equal(401);
  });

  it('two keys under the two names are a 400, and the same one twice is one', async () => {
    const { managementKey, privateKey } = api.tenant;
    const both = (alias: string) => ({ 'SVC-API-KEY': managementKey, 'BT-API-KEY': alias });
    const refused = await api.send('GET /proxies', { key: null, headers: both(privateKey) });
    expect(refused.status).to.equal(400);
    expect(refused.body.detail).to.equal('The header SVC-API-KEY was sent twice with different values.');
    const same = await api.send('GET /proxies', { key: null, headers: both(managementKey) });
    expect(same.status).to.equal(200);
  });

  it('permissions are judged as they are now, not as they were', async () => {
    const body = { name: 'k', type: 'management', permissions: ['proxy:read'] };
    const { id: own, key } = (await api.send('POST /applications', { body })).body;
    expect((await api.send('GET /proxies', { key })).status).to.equal(200);
    await api.send(`PUT /applications/${own}`, { body: { ...body, permissions: ['proxy:create'] } });
    expect((await api.send('GET /proxies', { key })).status).to.equal(403);
  });
});
