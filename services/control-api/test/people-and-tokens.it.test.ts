import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { type Body, type TestApi, newTenant, startTestApi } from './harness/api.ts';
import { Browser } from './harness/browser.ts';
import { FakeTokens } from './harness/fake-tokens.ts';
import { type TestProvider, startProvider } from './harness/identity-provider.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';

const consoleUrl = 'http://localhost:8080/console';
const roles = ['OWNER', 'ADMIN', 'DEVELOPER', 'AUDITOR', 'VIEWER'] as const;
const token = { id: 'a/../token?', container: '/pci/high/', masked: '4242', plain: '12345678901234567890' };
const reason = 'the customer asked for it';

describe('tokens in the console', () => {
  const tokens = new FakeTokens([token]);
  /** In place of the runner. */
  const logs = {
    asked: [] as object[],
    read: async (of: object) => {
      logs.asked.push(of);
      return '[{"log":"what it wrote"}]';
    },
  };
  let provider: TestProvider;
  let api: TestApi;

  before(async () => {
    provider = await startProvider(`${consoleUrl}/session/callback`);
    const config = await newInstallation();
    const tenant = await newTenant(config);
    const { issuer, clientId, clientSecret } = provider;
    const grants = roles.map((role) => ({ by: 'group', name: role, tenantId: tenant.id, role }) as const);
    const signIn = {
      consoleUrl,
      withKeys: true,
      grants,
      provider: { issuer, clientId, clientSecret: new Secret(clientSecret) },
    };
    const started = await startTestApi(
      { sealer: reversingSealer, tokens, invocationLogs: logs },
      { ...config, egressProfile: 'development', signIn },
    );
    api = { ...started, tenant };
  });
  after(async () => {
    await api?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    tokens.asked.length = 0;
  });

  const signIn = async (role: (typeof roles)[number]) => {
    provider.account = { sub: role, email: `${role}@example.com`, groups: [role] };
    const browser = new Browser(consoleUrl, api.base);
    await browser.visit('/console/session/login');
    browser.tenant = api.tenant.id;
    return browser;
  };
  const reveal = (browser: Browser, body: object = { id: token.id, reason }) =>
    browser.send('POST /console/session/reveal', { body });
  const statusesOf = async (browser: Browser) => [
    (await browser.send('GET /console/session/tokens')).status,
    (await browser.send('GET /console/session/containers')).status,
    (await reveal(browser)).status,
  ];

  it('are masked, redacted or refused as the role says; only an owner reveals', async () => {
    const expected = {
      OWNER: [200, 200, 200],
      ADMIN: [200, 200, 403],
      DEVELOPER: [200, 200, 403],
      AUDITOR: [200, 200, 403],
      VIEWER: [403, 403, 403],
    };
    for (const role of roles) {
      const browser = await signIn(role);
      expect(await statusesOf(browser), role).to.deep.equal(expected[role]);
      const list = tokens.asked.find(([what]) => what === 'list');
      if (role !== 'VIEWER') expect(list?.[2], role).to.equal(role !== 'AUDITOR');
      tokens.asked.length = 0;
    }
  });

  it('are not for keys, nor for who has signed in with one', async () => {
    const { managementKey, privateKey } = api.tenant;
    const browser = new Browser(consoleUrl, api.base);
    expect((await browser.send('POST /console/session', { body: { key: managementKey } })).status).to.equal(
      204,
    );
    browser.tenant = api.tenant.id;
    expect(await statusesOf(browser)).to.deep.equal([403, 403, 403]);
    const reader = { name: 'r', type: 'private', permissions: ['token:read'], rules: [] };
    const made = await api.send('POST /applications', { body: reader, key: managementKey });
    for (const key of [managementKey, privateKey, made.body.key]) {
      const headers = { 'SVC-API-KEY': key };
      const answer = await browser.send('GET /console/session/tokens', { headers });
      expect(answer.status).to.equal(403);
    }
    const stranger = new Browser(consoleUrl, api.base);
    expect(await statusesOf(stranger)).to.deep.equal([401, 401, 401]);
    expect(tokens.asked).to.deep.equal([]);
  });

  it('are for requests of the page itself only', async () => {
    const browser = await signIn('OWNER');
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.send('GET /console/session/tokens', { headers })).status).to.equal(403);
    const body = { id: token.id, reason };
    expect((await browser.send('POST /console/session/reveal', { body, headers })).status).to.equal(403);
    expect((await browser.send('GET /console/session/reveal')).status).to.equal(405);
    expect(tokens.asked).to.deep.equal([]);
  });

  it('are revealed as the vault writes them, for a reason of at least 10 characters', async () => {
    const browser = await signIn('OWNER');
    const { id } = (
      (await browser.send('GET /console/session')).body as unknown as { session: { user: Body } }
    ).session.user;
    const shown = await reveal(browser);
    expect(shown.text).to.contain(`"data":${token.plain}}`);
    expect(shown.headers?.get('cache-control')).to.equal('no-store');
    expect(tokens.asked).to.deep.equal([['reveal', id, token.id, reason]]);
    for (const body of [{}, { id: token.id }, { id: token.id, reason: ' too short ' }, { id: 5, reason }]) {
      const refused = await reveal(browser, body);
      expect(refused.status, JSON.stringify(body)).to.equal(400);
    }
    expect((await reveal(browser, { id: 'none', reason })).status).to.equal(404);
  });

  it('are revealed for 5 minutes after a sign-in; changing the tenant is none', async () => {
    const browser = await signIn('OWNER');
    await inDatabase(
      api.config.databaseUrl.reveal(),
      `UPDATE console_sessions SET created_at = now() - interval '301 seconds'`,
    );
    const refused = await reveal(browser);
    expect([refused.status, refused.body.detail]).to.deep.equal([
      403,
      'Sign in again: that may be at most 5 minutes ago.',
    ]);
    const body = { tenant_id: api.tenant.id };
    expect((await browser.send('PUT /console/session/tenant', { body })).status).to.equal(204);
    expect((await reveal(browser)).status).to.equal(403);
    expect((await reveal(await signIn('OWNER'))).status).to.equal(200);
    expect(tokens.asked.map(([what]) => what)).to.deep.equal(['reveal']);
  });

  describe('logs of code', () => {
    const subject = { type: 'proxy', id: '6f1c2b7e-3f43-4a86-9d39-0f6a3b1f0c11' };
    const read = (browser: Browser, body: object = {}) =>
      browser.send('POST /console/session/invocation-log', {
        body: { subject, trace_id: 'trace', reason, ...body },
      });

    it('are for who may reveal, lately signed in, with a reason that is in the log before them', async () => {
      for (const role of ['ADMIN', 'DEVELOPER', 'AUDITOR', 'VIEWER'] as const) {
        expect((await read(await signIn(role))).status, role).to.equal(403);
      }
      expect(logs.asked).to.deep.equal([]);
      const browser = await signIn('OWNER');
      for (const body of [
        { reason: 'too short' },
        { subject: { type: 'token', id: 'x' } },
        { trace_id: 5 },
      ]) {
        expect((await read(browser, body)).status, JSON.stringify(body)).to.equal(400);
      }
      const shown = await read(browser);
      expect(shown.text).to.equal('{"data":[{"log":"what it wrote"}]}');
      expect(logs.asked).to.deep.equal([{ tenantId: api.tenant.id, ownerId: subject.id, traceId: 'trace' }]);
      const { text } = await api.send('GET /logs?entity_type=proxy', { key: api.tenant.managementKey });
      const { data } = JSON.parse(text) as { data: readonly object[] };
      expect(data[0]).to.deep.include({
        operation: 'read_log',
        entity_id: subject.id,
        actor_type: 'user',
        outcome: 'allowed',
        reason,
        message: 'Proxy log shown',
      });
    });

    it('are shown 60 times in an hour to a tenant', async () => {
      await inDatabase(
        api.config.databaseUrl.reveal(),
        `INSERT INTO logs (tenant_id, operation, entity_type, entity_id)
         SELECT '${api.tenant.id}', 'read_log', 'proxy', 'p' FROM generate_series(1, 59)`,
      );
      expect((await read(await signIn('OWNER'))).status).to.equal(429);
    });
  });

  it('erasures are for the person who asked for them', async () => {
    const browser = await signIn('OWNER');
    const { id } = (
      (await browser.send('GET /console/session')).body as unknown as { session: { user: Body } }
    ).session.user;
    const gone = ['0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d52', '0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d53'];
    await inDatabase(
      api.config.databaseUrl.reveal(),
      `INSERT INTO tenant_erasure (tenant_id, requested_by, application_ids, owner_ids, erased, certificate)
       VALUES ('${gone[0]}', '${id}', '{}', '{}', '{}', '{"format":"x"}'), ('${gone[1]}', NULL, '{}', '{}', '{}', NULL)`,
    );
    const listed = async (one: Browser) => (await one.send('GET /console/session/erasures')).body;
    const { data } = (await listed(browser)) as unknown as { data: readonly object[] };
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ tenant_id: gone[0], certificate: { format: 'x' } });
    expect(await listed(await signIn('ADMIN'))).to.deep.equal({ data: [] });
    const stranger = await new Browser(consoleUrl, api.base).send('GET /console/session/erasures');
    expect(stranger.status).to.equal(401);
  });
});
