import { expect } from 'chai';

import { type Answer, type TestApi, type TestTenant, startTestApi } from './harness/api.ts';

/** contract/tenants.md#simulation-of-access. */
describe('a simulation of access', () => {
  let api: TestApi;
  let tenant: TestTenant;
  let application: string;
  before(async () => {
    api = await startTestApi();
    tenant = await api.newTenant();
    const policy = { mode: 'enforce', destinations: ['bound.example.com', 'policy.example.com'] };
    await make('PUT /tenants/self/egress-policy', policy);
    const rules = [
      {
        priority: 1,
        container: '/',
        transform: 'reveal',
        permissions: ['token:use'],
        destinations: ['bound.example.com', 'policy.example.com', 'refused.example.com'],
      },
    ];
    application = (await make('POST /applications', { name: 'asked about', type: 'private', rules })).id;
  });
  after(() => api[Symbol.asyncDispose]());

  const make = async (request: string, body: object): Promise<Answer['body']> => {
    const answer = await api.send(request, { key: tenant.managementKey, body });
    expect(answer.status, answer.text).to.be.oneOf([200, 201]);
    return answer.body;
  };
  const keyWith = async (...permissions: string[]): Promise<string> =>
    (await make('POST /applications', { name: 'asks', type: 'management', permissions })).key;
  const ask = (key: string, query: Record<string, string>): Promise<Answer> => {
    const question = new URLSearchParams({ permission: 'token:use', container: '/', ...query });
    return api.send(`GET /applications/${application}/simulate-access?${question}`, { key });
  };
  const said = async (key: string, query: Record<string, string>): Promise<Record<string, unknown>> => {
    const answer = await ask(key, query);
    expect(answer.status, answer.text).to.equal(200);
    return { ...answer.body };
  };
  const code = 'module.exports = ({ args }) => args';
  const proxyWith = async (more: object = {}): Promise<string> =>
    (await make('POST /proxies', { name: 'p', destination_url: 'https://bound.example.com', ...more })).id;
  const reactorWith = async (more: object = {}): Promise<string> =>
    (await make('POST /reactors', { name: 'r', code, configuration: {}, ...more })).id;

  it('names a proxy or reactor only to those who may read it, and tells nobody else which ones exist', async () => {
    const named = { proxy_id: await proxyWith(), reactor_id: await reactorWith() };
    for (const [parameter, id] of Object.entries(named)) {
      const needed = parameter === 'proxy_id' ? 'proxy:read' : 'reactor:read';
      const other = parameter === 'proxy_id' ? 'reactor:read' : 'proxy:read';
      const without = await keyWith('application:read', 'tenant:read', other);
      for (const asked of [id, crypto.randomUUID()]) {
        const answer = await ask(without, { [parameter]: asked });
        expect([answer.status, answer.body.detail]).to.deep.equal([
          403,
          `The permission ${needed} is required.`,
        ]);
      }
      const holder = await keyWith('application:read', needed);
      expect((await ask(holder, { [parameter]: id })).status).to.equal(200);
      expect((await ask(holder, { [parameter]: crypto.randomUUID() })).status).to.equal(404);
    }
  });

  it('is the same for callers who may not read the egress policy, whatever the policy is', async () => {
    const ways: Record<string, string>[] = [
      { destination: 'bound.example.com' },
      { destination: 'refused.example.com' },
      { proxy_id: await proxyWith() },
      { proxy_id: await proxyWith({ request_transform: { code } }) },
      {
        proxy_id: await proxyWith({
          request_transform: { code },
          allowed_destinations: ['refused.example.com', 'policy.example.com'],
        }),
      },
      { reactor_id: await reactorWith() },
    ];
    const key = await keyWith('application:read', 'proxy:read', 'reactor:read');
    const enforced = await Promise.all(ways.map((way) => said(key, way)));
    await make('PUT /tenants/self/egress-policy', { mode: 'off' });
    expect(await Promise.all(ways.map((way) => said(key, way)))).to.deep.equal(enforced);
    const policy = { mode: 'enforce', destinations: ['bound.example.com', 'policy.example.com'] };
    await make('PUT /tenants/self/egress-policy', policy);
  });

  it('counts the policy in for callers who may read it', async () => {
    const key = await keyWith('application:read', 'proxy:read', 'tenant:read');
    expect(await said(key, { destination: 'refused.example.com' })).to.deep.include({
      decision: 'denied',
      reason: 'egress_policy',
      egress: {
        destination: 'refused.example.com:443',
        mode: 'enforce',
        allowed: false,
        reason: 'egress_policy',
      },
    });
    const proxy = await proxyWith({ request_transform: { code } });
    expect(await said(key, { proxy_id: proxy })).to.deep.include({
      decision: 'allowed',
      reach: { anywhere: false, destinations: ['bound.example.com', 'policy.example.com'] },
    });
    const blind = await keyWith('application:read', 'proxy:read');
    expect(await said(blind, { proxy_id: proxy })).to.deep.include({
      decision: 'denied',
      reason: 'destination_not_bound',
      reach: { anywhere: true, destinations: ['bound.example.com'] },
    });
  });

  it('is about the stricter of two versions that a rollout serves, and of no other version', async () => {
    const key = await keyWith('application:read', 'proxy:read', 'reactor:read');
    const proxy = await proxyWith();
    const at = { proxy_id: proxy };
    const draft = { name: 'p', destination_url: 'https://unbound.example.com' };
    await make(`POST /proxies/${proxy}/versions`, draft);
    const rollOut = (more: object) =>
      make(`PUT /proxies/${proxy}/rollout`, { version: 2, percent: 1, ...more });
    expect(await said(key, at))
      .to.include({ decision: 'allowed' })
      .and.not.have.property('version');
    for (const idle of [{ percent: 0 }, { mode: 'shadow', percent: 100 }]) {
      await rollOut(idle);
      expect(await said(key, at))
        .to.include({ decision: 'allowed' })
        .and.not.have.property('version');
    }
    await rollOut({});
    expect(await said(key, at)).to.deep.include({
      decision: 'denied',
      version: 2,
      reach: { anywhere: false, destinations: ['unbound.example.com'] },
    });
    await make(`PUT /proxies/${proxy}`, { name: 'p', destination_url: 'https://other.example.com' });
    expect(await said(key, at)).to.deep.include({
      version: 3,
      reach: { anywhere: false, destinations: ['other.example.com'] },
    });
    await make(`POST /proxies/${proxy}/rollout/complete`, {});
    expect(await said(key, at)).to.not.have.property('version');

    const reactor = await reactorWith({ allowed_destinations: ['bound.example.com'] });
    await make(`POST /reactors/${reactor}/versions`, { name: 'r', code, configuration: {} });
    await make(`PUT /reactors/${reactor}/rollout`, { version: 2, percent: 1 });
    expect(await said(key, { reactor_id: reactor })).to.deep.include({
      decision: 'denied',
      version: 2,
      reach: { anywhere: true, destinations: [] },
    });
  });
});
