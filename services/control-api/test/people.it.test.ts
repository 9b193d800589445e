import { randomUUID } from 'node:crypto';

import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';
import pg from 'pg';

import { type Body, type TestApi, newTenant, startTestApi } from './harness/api.ts';
import { Browser } from './harness/browser.ts';
import { type Claims, type TestProvider, startProvider } from './harness/identity-provider.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase, newInstallation, startedStores } from './harness/stores.ts';
import { until } from './harness/until.ts';

const consoleUrl = 'http://localhost:8080/console';
const cookie = '__Host-glovebox-session';

interface Session extends Body {
  readonly session?: {
    readonly tenant: { readonly id: string };
    readonly role?: string;
    readonly user?: { readonly id: string; readonly email?: string };
    readonly application?: { readonly id: string };
    readonly permissions: readonly string[];
    readonly tenants: readonly { readonly id: string }[];
  };
}

const ann: Claims = {
  sub: 'ann',
  email: 'Ann@Example.com',
  email_verified: true,
  given_name: 'Ann',
  family_name: 'Lee',
  groups: ['payments'],
};

describe('people', () => {
  let provider: TestProvider;
  let api: TestApi;
  let other: { readonly id: string; readonly managementKey: string };

  before(async () => {
    provider = await startProvider(`${consoleUrl}/session/callback`);
    const config = await newInstallation();
    const first = await newTenant(config);
    const { issuer, clientId, clientSecret } = provider;
    const grants = [
      { by: 'group', name: 'payments', tenantId: first.id, role: 'DEVELOPER' },
      { by: 'group', name: 'bosses', tenantId: first.id, role: 'OWNER' },
      { by: 'domain', name: 'audit.example', tenantId: first.id, role: 'AUDITOR' },
    ] as const;
    const signIn = {
      consoleUrl,
      withKeys: true,
      grants,
      provider: { issuer, clientId, clientSecret: new Secret(clientSecret) },
    };
    const started = await startTestApi(
      { sealer: reversingSealer },
      { ...config, egressProfile: 'development', signIn },
    );
    api = {
      ...started,
      tenant: first,
      send: (request, sent) => started.send(request, { key: first.managementKey, ...sent }),
    };
    other = await newTenant(config);
  });

  after(async () => {
    await api[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    provider.tamper = undefined;
  });

  const newBrowser = () => new Browser(consoleUrl, api.base);
  const sessionIn = async (browser: Browser) =>
    ((await browser.send('GET /console/session')).body as Session).session;
  const signIn = async (who: Claims, browser = newBrowser()) => {
    provider.account = who;
    const end = await browser.visit('/console/session/login');
    const session = await sessionIn(browser);
    browser.tenant = session?.tenant.id ?? 'none';
    return { browser, end, session };
  };
  const withKey = async (key: string) => {
    const browser = newBrowser();
    const { status } = await browser.send('POST /console/session', { body: { key } });
    browser.tenant = (await sessionIn(browser))?.tenant.id ?? 'none';
    return { browser, status };
  };
  const logs = async (query: string) => (await api.send(`GET /logs?${query}`)).body.data;
  const invite = (email: string, role?: string, key = api.tenant.managementKey) =>
    api.send('POST /tenants/self/invitations', { body: { email, role }, key });

  it('somebody with a role signs in, and counts as that person in what they do', async () => {
    const { browser, session } = await signIn(ann);
    expect(session).to.deep.include({ role: 'DEVELOPER', tenant: { id: api.tenant.id, name: 'A tenant' } });
    expect(session?.user).to.include({ email: 'Ann@Example.com', first_name: 'Ann', last_name: 'Lee' });
    const proxy = { name: 'p', destination_url: 'https://example.com' };
    const made = await browser.send('POST /proxies', { body: proxy });
    expect(made.status).to.equal(201);
    expect(made.body).to.include({ created_by: session?.user?.id });
    const [entry] = await logs(`entity_type=proxy&entity_id=${made.body.id}`);
    expect(entry).to.include({ actor_id: session?.user?.id, actor_type: 'user', operation: 'create' });
    const [signedIn] = await logs(`entity_type=member&operation=sign_in&actor_id=${session?.user?.id}`);
    expect(signedIn).to.include({ entity_type: 'member', outcome: 'allowed', message: 'Member signed in' });
  });

  it('members are listed with what the provider says of them', async () => {
    const { session } = await signIn(ann);
    const page = await api.send(`GET /tenants/self/members?user_id=${session?.user?.id}`);
    expect(page.body.data).to.have.length(1);
    expect(page.body.data[0]).to.deep.include({
      role: 'DEVELOPER',
      user: { id: session?.user?.id, email: 'Ann@Example.com', first_name: 'Ann', last_name: 'Lee' },
    });
    expect((await api.send('GET /tenants/self/members?size=1&page=2')).body.data).to.have.length(1);
  });

  it('a role permits exactly what its list says', async () => {
    const { browser } = await signIn({ ...ann, sub: 'audrey', groups: [], email: 'audrey@audit.example' });
    expect((await browser.send('GET /logs?entity_type=proxy')).status).to.equal(200);
    expect((await browser.send('GET /proxies')).status).to.equal(200);
    const refused = await browser.send('POST /proxies', { body: {} });
    expect([refused.status, refused.body.detail]).to.deep.equal([
      403,
      'The permission proxy:create is required.',
    ]);
    const roles = (await browser.send('GET /roles')).body as unknown as {
      role: string;
      permissions: string[];
    }[];
    expect(roles.map(({ role }) => role)).to.deep.equal(['OWNER', 'ADMIN', 'DEVELOPER', 'AUDITOR', 'VIEWER']);
    const auditor = roles.find(({ role }) => role === 'AUDITOR');
    expect(auditor?.permissions.every((permission) => permission.endsWith(':read'))).to.equal(true);
  });

  it('a person without a role, or with an unverified address, cannot sign in', async () => {
    const strangers: Claims[] = [
      { sub: 'eve' },
      { sub: 'eve', email: 'eve@audit.example', email_verified: false },
      { sub: 'eve', email: 'eve@audit.example', email_verified: 'true' },
      { sub: 'eve', groups: 'payments' },
    ];
    for (const stranger of strangers) {
      const { end, session, browser } = await signIn(stranger);
      expect(end.url).to.match(/\/console\?sign_in_error=no_access$/);
      expect([session, browser.cookie(cookie)]).to.deep.equal([undefined, undefined]);
    }
  });

  it('a person who has lost the role in the directory is no longer a member; the refusal is in the log', async () => {
    const bob = { ...ann, sub: 'bob' };
    const { browser, session } = await signIn(bob);
    const again = await signIn({ ...bob, groups: [] });
    expect(again.end.url).to.contain('no_access');
    expect((await browser.send('GET /proxies')).status).to.equal(401);
    const [entry] = await logs(`entity_type=member&actor_id=${session?.user?.id}&outcome=denied`);
    expect(entry).to.include({ operation: 'sign_in', reason: 'no_role', message: 'Member not signed in' });
  });

  describe('the way over the identity provider', () => {
    const refused = async (what: (claims: Readonly<Record<string, unknown>>) => object) => {
      provider.tamper = (claims) => ({ ...claims, ...what(claims) });
      const { end, browser } = await signIn(ann);
      expect(end.url).to.match(/\/console\?sign_in_error=failed$/);
      expect(browser.cookie(cookie)).to.equal(undefined);
    };
    const now = () => Math.floor(Date.now() / 1000);

    it('a token for another audience, from another issuer, or of another sign-in is refused', async () => {
      await refused(() => ({ aud: 'another-client' }));
      await refused(() => ({ iss: 'https://evil.example' }));
      await refused(() => ({ nonce: 'of-another' }));
      await refused(() => ({ nonce: undefined }));
    });

    it('a token that is over, or is not yet valid, is refused; clocks may differ by 30 s', async () => {
      await refused(() => ({ exp: now() - 60 }));
      await refused(() => ({ nbf: now() + 120 }));
      provider.tamper = (claims) => ({ ...claims, exp: now() - 10, iat: now() + 10 });
      expect((await signIn(ann)).session).to.not.equal(undefined);
    });

    it('a key that the provider has just exchanged counts at once, and one that it does not publish never', async () => {
      provider.rotateKey();
      expect((await signIn(ann)).session).to.not.equal(undefined);
      provider.forgeKey();
      await refused(() => ({}));
      provider.rotateKey();
      expect((await signIn(ann)).session).to.not.equal(undefined);
    });

    it('the answer is good for the browser that asked, once', async () => {
      const browser = newBrowser();
      provider.account = ann;
      const { url } = await browser.visit('/console/session/login', '/console/session/callback');
      const callback = url.slice(api.base.length);
      const thief = newBrowser();
      expect((await thief.visit(callback)).url).to.contain('sign_in_error=failed');
      // The same with a sign-in of the thief's own.
      await thief.visit('/console/session/login', 'interaction');
      expect((await thief.visit(callback)).url).to.contain('sign_in_error=failed');
      expect((await browser.visit(callback)).url).to.match(/\/console$/);
      expect((await browser.visit(callback)).url).to.contain('sign_in_error=failed');
      expect(await sessionIn(browser)).to.not.equal(undefined);
    });

    it('afterwards the browser is at a page of the console, wherever it was to be led', async () => {
      provider.account = ann;
      for (const [wanted = '', reached] of [
        ['/console/proxies?x=1', '/console/proxies?x=1'],
        ['https://evil.example/', '/console'],
        ['//evil.example', '/console'],
        ['/consolex', '/console'],
        ['/console\\@evil.example', '/console'],
        ['/console/\r\nSet-Cookie: a=b', '/console'],
        ['/console/../permissions', '/console'],
        ['/console/..//evil.example', '/console'],
        ['/console/x/%2E%2e/%2e./permissions', '/console'],
      ]) {
        const { url } = await newBrowser().visit(
          `/console/session/login?return_to=${encodeURIComponent(wanted)}`,
        );
        expect(url.replace(api.base, ''), wanted).to.equal(reached);
      }
    });
  });

  describe('a session', () => {
    it('is only for requests that the console itself sends', async () => {
      const { browser } = await signIn(ann);
      const strange = [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'none' },
        { 'Sec-Fetch-Site': '' },
      ];
      for (const headers of strange) {
        const answer = await browser.send('DELETE /proxies/7d9f8a52-0000-4000-8000-000000000000', {
          headers,
        });
        expect(answer.status, JSON.stringify(headers)).to.equal(403);
        expect((await browser.send('DELETE /console/session', { headers })).status).to.equal(403);
      }
      expect(await sessionIn(browser)).to.not.equal(undefined);
    });

    it('is one that the service made', async () => {
      const browser = newBrowser();
      const chosen = 'A'.repeat(43);
      for (const id of [chosen, 'short', `${chosen}; ${cookie}=${chosen}`, '%00']) {
        browser.setCookie(cookie, id);
        expect((await browser.send('GET /proxies')).status, id).to.equal(401);
      }
      browser.setCookie(cookie, chosen);
      const { session } = await signIn(ann, browser);
      expect(session).to.not.equal(undefined);
      expect(browser.cookie(cookie)).to.not.equal(chosen);
    });

    it('a new sign-in ends the one before, and signing out ends it for who has the cookie', async () => {
      const { browser } = await signIn(ann);
      const first = browser.cookie(cookie) ?? '';
      await signIn(ann, browser);
      const second = browser.cookie(cookie) ?? '';
      const out = await browser.send('DELETE /console/session');
      expect(out.status).to.equal(200);
      expect(out.body).to.have.property('sign_out_url').that.includes(provider.issuer);
      for (const stolen of [first, second]) {
        const thief = newBrowser();
        thief.tenant = api.tenant.id;
        thief.setCookie(cookie, stolen);
        expect((await thief.send('GET /proxies')).status).to.equal(401);
      }
      expect((await logs('entity_type=member&operation=sign_out'))[0]).to.include({
        actor_type: 'user',
        message: 'Member signed out',
      });
    });

    it('ends after 15 minutes without a request, and after 12 hours', async () => {
      for (const [column, age] of [
        ['last_seen_at', '16 minutes'],
        ['created_at', '721 minutes'],
      ]) {
        const { browser } = await signIn(ann);
        await inDatabase(
          api.config.databaseUrl.reveal(),
          `UPDATE console_sessions SET ${column} = now() - interval '${age}'`,
        );
        expect((await browser.send('GET /proxies')).status, column).to.equal(401);
      }
    });

    it('the id is not in the database', async () => {
      const { browser } = await signIn(ann);
      const rows = await inDatabase(
        api.config.databaseUrl.reveal(),
        `SELECT s::text AS row FROM console_sessions s`,
      );
      const text = JSON.stringify(rows);
      const id = browser.cookie(cookie) ?? '';
      expect(text).to.contain(api.tenant.id);
      expect([text.includes(id), text.includes(Buffer.from(id).toString('hex'))]).to.deep.equal([
        false,
        false,
      ]);
    });

    it('a key in the request counts instead of it', async () => {
      const { browser } = await signIn(ann);
      const answer = await browser.send('GET /tenants/self', {
        headers: { 'SVC-API-KEY': other.managementKey },
      });
      expect(answer.body.id).to.equal(other.id);
    });

    it('is for one tenant: a page of another one is told, and can change over', async () => {
      const cat = { ...ann, sub: 'cat', email: 'cat@example.com' };
      await invite('cat@example.com', 'VIEWER', other.managementKey);
      const { browser, session } = await signIn(cat);
      expect(session?.tenants.map(({ id }) => id)).to.have.members([api.tenant.id, other.id]);
      const next = session?.tenant.id === other.id ? api.tenant.id : other.id;
      const before = browser.cookie(cookie);
      const change = (tenant_id: string) =>
        browser.send('PUT /console/session/tenant', { body: { tenant_id } });
      expect((await change('7d9f8a52-0000-4000-8000-000000000000')).status).to.equal(404);
      expect((await change('x')).status).to.equal(400);
      expect((await change(next)).status).to.equal(204);
      expect(browser.cookie(cookie)).to.not.equal(before);
      expect((await browser.send('GET /tenants/self')).status, 'the page of before').to.equal(409);
      browser.tenant = next;
      expect((await browser.send('GET /tenants/self')).body.id).to.equal(next);
    });
  });

  describe('what ends while it is used', () => {
    /** Sends a request while a statement is not committed yet, and commits when the request waits for it. */
    const during = async (statement: string, send: () => Promise<unknown>) => {
      const { postgres } = await startedStores();
      const database = new URL(api.config.databaseUrl.reveal()).pathname.slice(1);
      const client = new pg.Client({ connectionString: postgres.url(database) });
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query(statement);
        const sent = send();
        await until(20_000, async () => {
          const waiting = await inDatabase(
            api.config.databaseUrl.reveal(),
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(waiting).to.have.length(1);
        });
        await client.query('COMMIT');
        await sent;
      } finally {
        await client.end();
      }
    };

    it('a session that is about to go on in another tenant ends with all others', async () => {
      const vic = { ...ann, sub: 'vic' };
      const { browser, session } = await signIn(vic);
      const { browser: thief } = await signIn(vic);
      const id = session?.user?.id ?? '';
      // As a change of the tenant does it.
      const hash = `sha256('${thief.cookie(cookie)}'::bytea)`;
      const moving = `SELECT 1 FROM members WHERE id = '${id}' FOR KEY SHARE;
        CREATE TEMPORARY TABLE moved AS SELECT * FROM console_sessions WHERE id_hash = ${hash};
        DELETE FROM console_sessions WHERE id_hash = ${hash};
        UPDATE moved SET id = gen_random_uuid();
        INSERT INTO console_sessions SELECT * FROM moved`;
      await during(moving, async () => {
        expect((await browser.send('DELETE /console/sessions')).status).to.equal(204);
      });
      expect((await thief.send('GET /roles')).status).to.equal(401);
    });

    it('a session that ends does not go on in another tenant', async () => {
      await invite('sam@example.com', 'VIEWER', other.managementKey);
      const sam = { ...ann, sub: 'sam', email: 'sam@example.com' };
      const { browser, session } = await signIn(sam);
      const next = session?.tenant.id === other.id ? api.tenant.id : other.id;
      const body = { tenant_id: next };
      await during(`DELETE FROM console_sessions WHERE user_id = '${session?.user?.id}'`, async () => {
        expect((await browser.send('PUT /console/session/tenant', { body })).status).to.equal(401);
      });
    });

    it('a member who is removed while changing over, or signing in, is not signed in', async () => {
      await invite('tom@example.com', 'VIEWER', other.managementKey);
      const tom = { sub: 'tom', email: 'tom@example.com', email_verified: true };
      const first = await signIn({ ...tom, groups: ['payments'] });
      const id = first.session?.user?.id;
      const remove = (tenantId: string) =>
        `DELETE FROM members WHERE id = '${id}' AND tenant_id = '${tenantId}'`;
      const next = first.session?.tenant.id === other.id ? api.tenant.id : other.id;
      await during(remove(next), async () => {
        const body = { tenant_id: next };
        const answer = await first.browser.send('PUT /console/session/tenant', { body });
        expect(answer.status).to.equal(404);
      });
      await invite('uma@example.com', 'VIEWER');
      const uma = { sub: 'uma', email: 'uma@example.com', email_verified: true };
      const { session } = await signIn(uma);
      await during(`DELETE FROM members WHERE id = '${session?.user?.id}'`, async () => {
        const { end } = await signIn(uma);
        expect(end.url).to.match(/sign_in_error=no_access$/);
      });
    });

    it('a key that ends while it signs in signs nobody in', async () => {
      const application = { name: 'n', type: 'management', permissions: ['proxy:read'] };
      const { id, key } = (await api.send('POST /applications', { body: application })).body;
      await during(`DELETE FROM application_keys WHERE application_id = '${id}'`, async () => {
        expect((await withKey(key)).status).to.equal(401);
      });
    });
  });

  describe('the sessions of a person', () => {
    interface Listed {
      readonly id: string;
      readonly current: boolean;
      readonly tenant: { readonly id: string; readonly name: string };
    }
    const ask = async (browser: Browser) => {
      const { status, body } = await browser.send('GET /console/sessions');
      expect(status).to.equal(200);
      return body.data as unknown as Listed[];
    };
    const currentOf = async (browser: Browser) => (await ask(browser)).find(({ current }) => current)?.id;
    const isIn = async (browser: Browser) => (await browser.send('GET /roles')).status;
    const rob = { ...ann, sub: 'rob', email: 'rob@example.com' };

    it('are listed with when and where they began, and the id is no secret', async () => {
      const { browser } = await signIn(rob);
      const { browser: second } = await signIn(rob);
      const sessions = await ask(browser);
      expect(sessions.map(({ current }) => current)).to.have.members([true, false]);
      for (const shown of sessions) {
        expect(shown).to.have.all.keys(
          'id',
          'current',
          'tenant',
          'signed_in_with',
          'created_at',
          'last_seen_at',
          'expires_at',
          'client_address',
          'user_agent',
        );
        expect(shown).to.deep.include({
          signed_in_with: 'openid_connect',
          tenant: { id: api.tenant.id, name: 'A tenant' },
          client_address: '127.0.0.1',
        });
        second.setCookie(cookie, shown.id);
        expect(await isIn(second)).to.equal(401);
      }
    });

    it('end one by one: the next request of the one that has ended is a 401, and the log has it', async () => {
      const { browser, session } = await signIn(rob);
      const { browser: stolen } = await signIn(rob);
      const id = await currentOf(stolen);
      const ended = await browser.send(`DELETE /console/sessions/${id}`, {
        headers: { 'SVC-Comment': 'the laptop is lost' },
      });
      expect(ended.status, ended.text).to.equal(204);
      expect([await isIn(stolen), await isIn(browser)]).to.deep.equal([401, 200]);
      expect((await ask(browser)).some((shown) => shown.id === id)).to.equal(false);
      expect((await browser.send(`DELETE /console/sessions/${id}`)).status, 'again').to.equal(404);
      const [entry] = await logs(`entity_type=member&operation=end_session&actor_id=${session?.user?.id}`);
      expect(entry).to.include({
        actor_type: 'user',
        message: 'Member signed out elsewhere',
        reason: 'the laptop is lost',
      });
    });

    it('that of this request too, which signs out', async () => {
      const { browser } = await signIn(rob);
      const id = await currentOf(browser);
      const kept = browser.cookie(cookie) ?? '';
      expect((await browser.send(`DELETE /console/sessions/${id}`)).status).to.equal(204);
      expect(browser.cookie(cookie)).to.equal(undefined);
      browser.setCookie(cookie, kept);
      expect(await isIn(browser)).to.equal(401);
    });

    it('all others end at once, in other tenants too', async () => {
      await invite('rob@example.com', 'VIEWER', other.managementKey);
      const browsers = [await signIn(rob), await signIn(rob), await signIn(rob)].map(
        ({ browser }) => browser,
      );
      const [here, there, elsewhere] = browsers as [Browser, Browser, Browser];
      const next = there.tenant === other.id ? api.tenant.id : other.id;
      const moved = await there.send('PUT /console/session/tenant', { body: { tenant_id: next } });
      expect(moved.status).to.equal(204);
      there.tenant = next;
      const { browser: stranger } = await signIn({ ...ann, sub: 'tim' });
      expect((await ask(here)).map(({ tenant }) => tenant.id)).to.include(next);
      expect((await here.send('DELETE /console/sessions')).status).to.equal(204);
      expect(await Promise.all([here, there, elsewhere, stranger].map(isIn))).to.deep.equal([
        200, 401, 401, 200,
      ]);
      expect(await ask(here)).to.have.length(1);
      const query = 'entity_type=member&operation=end_session';
      const { body } = await api.send(`GET /logs?${query}`, {
        key: next === other.id ? other.managementKey : api.tenant.managementKey,
      });
      expect(body.data[0], 'in the log of the other tenant').to.include({ operation: 'end_session' });
    });

    it('of somebody else do not exist: a 404, and they go on', async () => {
      const { browser } = await signIn(rob);
      const { browser: victim } = await signIn({ ...ann, sub: 'una' });
      const id = await currentOf(victim);
      expect((await ask(browser)).some((shown) => shown.id === id)).to.equal(false);
      for (const unknown of [id, '7d9f8a52-0000-4000-8000-000000000000', 'x', '%00']) {
        const answer = await browser.send(`DELETE /console/sessions/${unknown}`);
        expect(answer.status, unknown).to.equal(404);
      }
      expect(await isIn(victim)).to.equal(200);
    });

    it('of a key are those of its holders: signed in with the same key', async () => {
      const { browser } = await withKey(api.tenant.managementKey);
      const { browser: again } = await withKey(api.tenant.managementKey);
      const { browser: person } = await signIn(rob);
      expect(await ask(browser)).to.have.length(2);
      expect((await ask(browser))[0]).to.include({ signed_in_with: 'management_key' });
      expect((await browser.send(`DELETE /console/sessions/${await currentOf(person)}`)).status).to.equal(
        404,
      );
      expect((await browser.send('DELETE /console/sessions')).status).to.equal(204);
      expect([await isIn(again), await isIn(person)]).to.deep.equal([401, 200]);
      const [entry] = await logs('entity_type=application&operation=end_session');
      expect(entry).to.include({ actor_type: 'application', message: 'Application signed out elsewhere' });
    });

    it('are for nobody else: no key, no other site, no page of another tenant', async () => {
      const { browser } = await signIn(rob);
      const { browser: second } = await signIn(rob);
      const id = await currentOf(second);
      for (const request of [
        'GET /console/sessions',
        'DELETE /console/sessions',
        `DELETE /console/sessions/${id}`,
      ]) {
        const sent = async (headers: Readonly<Record<string, string>>) =>
          (await browser.send(request, { headers })).status;
        expect(await sent({ 'SVC-API-KEY': api.tenant.managementKey }), request).to.equal(403);
        expect(await sent({ 'Sec-Fetch-Site': 'cross-site' }), request).to.equal(403);
        // Signing in leads to either of the tenants.
        expect(await sent({ 'X-Glovebox-Console': randomUUID() }), request).to.equal(409);
        expect((await newBrowser().send(request)).status, request).to.equal(401);
      }
      expect((await browser.send('POST /console/sessions')).status).to.equal(405);
      expect(await isIn(second)).to.equal(200);
    });
  });

  describe('members', () => {
    it('who is invited becomes a member by signing in, with the role of the invitation', async () => {
      const dan = { sub: 'dan', email: 'Dan@example.com', email_verified: true };
      expect((await invite('dan@EXAMPLE.com', 'ADMIN')).body).to.include({ role: 'ADMIN' });
      expect((await signIn({ ...dan, email_verified: false })).session).to.equal(undefined);
      expect((await signIn(dan)).session).to.include({ role: 'ADMIN' });
      expect((await api.send('GET /tenants/self/invitations')).text).not.to.contain('dan@');
    });

    it('an invitation that has expired makes nobody a member', async () => {
      const { id } = (await invite('fay@example.com')).body;
      await inDatabase(
        api.config.databaseUrl.reveal(),
        `UPDATE tenant_invitations SET expires_at = now() WHERE id = '${id}'`,
      );
      const { session } = await signIn({ sub: 'fay', email: 'fay@example.com', email_verified: true });
      expect(session).to.equal(undefined);
    });

    it('another role, or a removal, ends the sessions of the member', async () => {
      const gus = { sub: 'gus', email: 'gus@example.com', email_verified: true };
      await invite('gus@example.com', 'ADMIN');
      const { browser, session } = await signIn(gus);
      const member = `/tenants/self/members/${session?.user?.id}`;
      const changed = await api.send(`PUT ${member}`, { body: { role: 'VIEWER' } });
      expect([changed.status, (changed.body as Body & { role: string }).role]).to.deep.equal([200, 'VIEWER']);
      expect((await browser.send('GET /proxies')).status).to.equal(401);
      await signIn(gus, browser);
      expect((await browser.send('GET /proxies')).status).to.equal(200);
      expect(
        (await browser.send('DELETE /applications/7d9f8a52-0000-4000-8000-000000000000')).status,
      ).to.equal(403);
      expect((await api.send(`DELETE ${member}`)).status).to.equal(204);
      expect((await browser.send('GET /proxies')).status).to.equal(401);
      expect((await signIn(gus)).session).to.equal(undefined);
    });

    it('the role that the directory gives is not the tenant’s to change', async () => {
      const { session } = await signIn({ ...ann, sub: 'hal' });
      const answer = await api.send(`PUT /tenants/self/members/${session?.user?.id}`, {
        body: { role: 'ADMIN' },
      });
      expect([answer.status, answer.body.detail]).to.deep.equal([
        422,
        'The identity provider decides on the role of this member.',
      ]);
    });

    it('no person gives more than they have, or decides on a person who may do more', async () => {
      const { session: owner } = await signIn({ ...ann, sub: 'ivy', groups: ['bosses'] });
      expect(owner).to.include({ role: 'OWNER' });
      await invite('jim@example.com', 'ADMIN');
      const { browser } = await signIn({ sub: 'jim', email: 'jim@example.com', email_verified: true });
      const path = '/tenants/self';
      const refused = [
        await browser.send(`POST ${path}/invitations`, { body: { email: 'k@example.com', role: 'OWNER' } }),
        await browser.send(`PUT ${path}/members/${owner?.user?.id}`, { body: { role: 'VIEWER' } }),
        await browser.send(`DELETE ${path}/members/${owner?.user?.id}`),
      ];
      expect(refused.map(({ status }) => status)).to.deep.equal([403, 403, 403]);
      const application = { name: 'n', type: 'management', permissions: ['tenant:invitation:create'] };
      const { key } = (await api.send('POST /applications', { body: application })).body;
      expect((await invite('k@example.com', 'ADMIN', key)).status).to.equal(403);
      expect((await invite('k@example.com', undefined, key)).status).to.equal(201);
    });

    it('an invitation takes nothing from a member who may do more', async () => {
      const liz = { sub: 'liz', email: 'liz@example.com', email_verified: true };
      await invite('liz@example.com', 'OWNER');
      expect((await signIn(liz)).session).to.include({ role: 'OWNER' });
      const application = { name: 'n', type: 'management', permissions: ['tenant:invitation:create'] };
      const { key } = (await api.send('POST /applications', { body: application })).body;
      expect((await invite('liz@example.com', 'VIEWER', key)).status).to.equal(201);
      expect((await signIn(liz)).session).to.include({ role: 'OWNER' });
      const mia = { sub: 'mia', email: 'mia@example.com', email_verified: true };
      await invite('mia@example.com', 'VIEWER');
      await signIn(mia);
      await invite('mia@example.com', 'ADMIN');
      expect((await signIn(mia)).session, 'one who may do less').to.include({ role: 'ADMIN' });
    });

    it('nobody sends an invitation again that gives more than they have', async () => {
      const { id } = (await invite('ned@example.com', 'OWNER')).body;
      const expired = `UPDATE tenant_invitations SET expires_at = now() WHERE id = '${id}'`;
      await inDatabase(api.config.databaseUrl.reveal(), expired);
      await invite('ola@example.com', 'ADMIN');
      const { browser } = await signIn({ sub: 'ola', email: 'ola@example.com', email_verified: true });
      const resend = `POST /tenants/self/invitations/${id}/resend`;
      expect((await browser.send(resend)).status).to.equal(403);
      const { session } = await signIn({ sub: 'ned', email: 'ned@example.com', email_verified: true });
      expect(session, 'still expired').to.equal(undefined);
      expect((await api.send(resend)).status).to.equal(200);
    });

    it('nobody gets by an application what their role does not have', async () => {
      await invite('pam@example.com', 'ADMIN');
      const { browser } = await signIn({ sub: 'pam', email: 'pam@example.com', email_verified: true });
      const application = { name: 'n', type: 'management', permissions: ['tenant:read', 'tenant:delete'] };
      const refused = await browser.send('POST /applications', { body: application });
      expect(refused.status, 'made').to.equal(403);
      const { id } = (await api.send('POST /applications', { body: application })).body;
      const less = { ...application, permissions: ['tenant:read'] };
      for (const [request, body] of [
        [`PUT /applications/${id}`, application],
        [`PUT /applications/${id}`, less],
        [`POST /applications/${id}/keys`, undefined],
        [`POST /applications/${id}/regenerate`, undefined],
      ] as const)
        expect((await browser.send(request, { body })).status, request).to.equal(403);
      const own = await browser.send('POST /applications', { body: less });
      expect(own.status).to.equal(201);
      expect((await browser.send(`PUT /applications/${own.body.id}`, { body: application })).status).to.equal(
        403,
      );
      expect((await browser.send(`POST /applications/${own.body.id}/regenerate`)).status).to.equal(200);
    });

    it('nobody reads by a trial what their role does not show', async () => {
      const body = { name: 'uses', type: 'private', permissions: ['token:use'] };
      const { id } = (await api.send('POST /applications', { body })).body;
      const trial = { code: 'module.exports = () => ({})', event: {}, network: true };
      const { browser } = await signIn({ ...ann, sub: 'tess', groups: ['payments'] });
      for (const path of ['/proxies/try', '/reactor-formulas/try']) {
        const as = (more: object) => browser.send(`POST ${path}`, { body: { ...trial, ...more } });
        expect((await as({ application: { id } })).status, path).to.equal(403);
        expect((await as({ application: { id }, network: false })).status, path).not.to.equal(403);
        expect((await as({})).status, path).not.to.equal(403);
      }
      const { browser: owner } = await signIn({ ...ann, sub: 'olga', groups: ['bosses'] });
      const tried = await owner.send('POST /proxies/try', { body: { ...trial, application: { id } } });
      expect(tried.status).not.to.equal(403);
    });

    it('a person makes expiring applications', async () => {
      const { browser } = await signIn({ ...ann, sub: 'ivy', groups: ['bosses'] });
      const rule = {
        description: 'd',
        priority: 1,
        container: '/a/',
        transform: 'mask',
        permissions: ['token:read'],
      };
      const made = await browser.send('POST /applications', {
        body: { name: 'n', type: 'expiring', rules: [rule] },
      });
      expect(made.status, made.text).to.equal(201);
      const later = await browser.send('GET /tenants/self');
      expect(later.status).to.equal(200);
    });
  });

  describe('a sign-in with a management key', () => {
    it('acts as the application of the key, until the key ends', async () => {
      const application = { name: 'n', type: 'management', permissions: ['proxy:read'] };
      const { id, key } = (await api.send('POST /applications', { body: application })).body;
      const { browser, status } = await withKey(key);
      expect(status).to.equal(204);
      const session = await sessionIn(browser);
      expect(session).to.deep.include({ application: { id, name: 'n' }, permissions: ['proxy:read'] });
      expect((await browser.send('GET /proxies')).status).to.equal(200);
      expect((await browser.send('GET /logs')).status).to.equal(403);
      await api.send(`POST /applications/${id}/regenerate`);
      expect((await browser.send('GET /proxies')).status).to.equal(401);
      const [entry] = await logs(`entity_type=application&operation=sign_in&actor_id=${id}`);
      expect(entry).to.include({ actor_type: 'application', entity_type: 'application' });
    });

    it('takes no other keys, and none from another site', async () => {
      expect((await withKey(api.tenant.privateKey)).status).to.equal(403);
      expect((await withKey('key_nobody')).status).to.equal(401);
      const body = { key: api.tenant.managementKey };
      const headers = { 'Sec-Fetch-Site': 'cross-site' };
      const answer = await newBrowser().send('POST /console/session', { body, headers });
      expect(answer.status).to.equal(403);
      expect((await newBrowser().send('POST /console/session', { body: {} })).status).to.equal(400);
    });
  });
});
