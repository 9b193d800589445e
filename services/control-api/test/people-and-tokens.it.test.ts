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
      { sealer: reversingSealer, tokens },
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
});
