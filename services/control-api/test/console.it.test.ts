import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { hashKey } from '@glovebox/access/api-key';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { decodeRecord } from '@glovebox/published/codec';
import { DeliveryStore } from '@glovebox/published/delivery-store';
import type { InvocationOutline } from '@glovebox/published/invocation-outline';
import { proxyRolloutRecord, redisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';
import { RolloutCounter } from '@glovebox/published/rollout-counter';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';

import { type WatchedPage, openPage, startChromium } from '../../../test/harness/chromium.ts';
import type { LogEntry } from '../src/audit/log-entry.ts';
import type { AuditSource, UsageSource } from '../src/audit/vault-sources.ts';
import { type TestApi, newTenant, startTestApi } from './harness/api.ts';
import { FakeTokens } from './harness/fake-tokens.ts';
import { type TestProvider, startProvider } from './harness/identity-provider.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

const tokenId = 'a/token?of=somebody';
const plainValue = 'the plain value of the token';
const tokens = new FakeTokens([
  {
    id: tokenId,
    container: '/pci/high/',
    masked: 'what the mask leaves',
    plain: JSON.stringify(plainValue),
    metadata: { note: markup },
  },
  { id: 'another', container: '/pii/', masked: undefined, plain: '1' },
]);
const used: LogEntry = {
  source: 'vault',
  at: Date.now() * 1000,
  id: 7,
  actorId: '0c7f8b0a-7c35-4c70-a2a8-5a3f6f3c9d52',
  actorType: 'application',
  entityType: 'token',
  entityId: tokenId,
  operation: 'use',
  outcome: 'allowed',
  reason: undefined,
  purpose: 'proxy',
  purposeId: '7d9f8a52-0000-4000-8000-000000000000',
  rule: 1,
  destination: 'api.stripe.example:443',
  traceId: 'trace-of-the-use',
  clientAddress: undefined,
};
/** In place of the vault's log. */
const audit: AuditSource = {
  list: async ({ entityId }) => (entityId === tokenId ? [used] : []),
  count: async ({ entityId }) => (entityId === tokenId ? 1 : 0),
};
/** In place of the vault's counts. */
const usage: UsageSource = {
  usageOf: async () => ({ types: [], months: [] }),
  operationsOf: async () => [],
  trafficOf: async (_tenantId, stepSeconds, from) =>
    [1, 2, 5].map((step) => ({
      at: new Date(from.getTime() + step * stepSeconds * 1000),
      requests: 100 * step,
      errors: step,
      refused: 1,
      killed: 0,
      leaks: 2,
      durations: [0, 0, 0, 90 * step, 0, 0, 0, 10 * step],
    })),
  keysOf: async () => ({
    dataKeys: [
      { version: 2, createdAt: new Date(), seals: 700_000_000 },
      { version: 1, createdAt: new Date(0), seals: undefined },
    ],
    indexKeys: [{ version: 1, createdAt: new Date(0), seals: undefined }],
    mostSeals: 2 ** 31,
    dataRotation: 2,
    indexRotation: { version: 2, phase: 'writing', remade: 12 },
  }),
};

/** Of a proxy whose first version threw there. */
const failedAt = (line: number, proxyId: string): InvocationOutline => ({
  id: randomUUID(),
  subject: { type: 'proxy', id: proxyId },
  version: 1,
  outcome: 'failed',
  status: 500,
  trace_id: markup,
  started_at: new Date().toISOString(),
  duration_ms: 12.5,
  stages: { auth: 0.2, vault: 3.1, transform: 8.4, own: 0.8 },
  error: { code: 'internal', line, column: 9 },
  logged: true,
});

const screens: readonly (readonly [path: string, heading: string])[] = [
  ['/', 'Home'],
  ['/invocations', 'Invocations'],
  ['/invocations/asynchronous', 'Asynchronous runs'],
  ['/proxies', 'Proxies'],
  ['/reactors', 'Reactors'],
  ['/formulas', 'Formulas'],
  ['/webhooks', 'Webhooks'],
  ['/tokens', 'Tokens'],
  ['/applications', 'Applications'],
  ['/members', 'Members'],
  ['/egress', 'Egress'],
  ['/audit?entity_type=proxy', 'Audit log'],
  ['/encryption-keys', 'Encryption keys'],
  ['/settings', 'Settings & usage'],
];

describe('the console in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let provider: TestProvider;
  let api: TestApi;
  let base: string;
  let proxyId: string;
  let formulaId: string;
  let applicationId: string;
  let webhookId: string;
  let deliveries: DeliveryStore;
  let redis: Redis;
  let outlines: OutlineStore;

  before(async () => {
    const port = await freePort();
    base = `http://localhost:${port}`;
    const consoleUrl = `${base}/console`;
    provider = await startProvider(`${consoleUrl}/session/callback`);
    const config = await newInstallation();
    const tenant = await newTenant(config);
    const onError = () => undefined;
    redis = createRedis({ url: config.redisUrl, connectionName: 'test', commandTimeoutMs: 5000, onError });
    outlines = new OutlineStore(redis, redisNames(config.redisPrefix));
    deliveries = new DeliveryStore(redis, redisNames(config.redisPrefix));
    const { issuer, clientId, clientSecret } = provider;
    const roles = ['DEVELOPER', 'AUDITOR', 'VIEWER', 'OWNER'] as const;
    const started = await startTestApi(
      { sealer: reversingSealer, tokens, audit, usage },
      {
        ...config,
        httpPort: port,
        egressProfile: 'development',
        signIn: {
          consoleUrl,
          withKeys: true,
          grants: roles.map((role) => ({ by: 'group', name: role, tenantId: tenant.id, role })),
          provider: { issuer, clientId, clientSecret: new Secret(clientSecret) },
        },
      },
    );
    api = {
      ...started,
      tenant,
      send: (request, sent) => started.send(request, { key: tenant.managementKey, ...sent }),
    };
    const code = 'module.exports = async (req) => ({ body: req.args.body });';
    const proxy = {
      name: markup,
      destination_url: 'https://example.com/a',
      request_transform: { code },
      configuration: { KEY: 'secret-of-the-configuration' },
    };
    proxyId = (await api.send('POST /proxies', { body: proxy })).body.id;
    const formula = {
      name: 'a formula',
      type: 'private',
      code: 'module.exports = async () => ({ raw: {} });',
    };
    formulaId = (await api.send('POST /reactor-formulas', { body: formula })).body.id;
    const rules = [
      { priority: 1, container: '/pci/high/', transform: 'redact', permissions: ['token:read'] },
      {
        description: markup,
        priority: 2,
        container: '/pci/',
        transform: 'reveal',
        permissions: ['token:use'],
        destinations: ['api.example.com'],
      },
    ];
    const application = { name: markup, type: 'private', rules };
    applicationId = (await api.send('POST /applications', { body: application })).body.id;
    const webhook = { name: markup, url: 'https://example.com/hook', events: ['proxy.created'] };
    webhookId = (await api.send('POST /webhooks', { body: webhook })).body.id;
    browser = await startChromium();
  });

  after(async () => {
    await browser?.close();
    await api?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    redis?.disconnect();
  });

  const signIn = async (role: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> => {
    provider.account = { sub: role, email: `${role.toLowerCase()}@example.com`, groups: [role] };
    const opened = await openPage(browser, options);
    await opened.page.goto(`${base}/console/proxies`);
    await opened.page.getByRole('link', { name: 'Sign in with your company account' }).click();
    await opened.page.getByRole('heading', { name: 'Proxies' }).waitFor();
    return opened;
  };
  const open = async (page: Page, path: string, heading: string) => {
    await page.goto(`${base}/console${path}`);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  };

  /** The same without loading the page again. */
  const show = async (page: Page, path: string, heading: string) => {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  };

  it('a person signs in and comes back to the page that they wanted', async () => {
    await using opened = await signIn('DEVELOPER');
    expect(new URL(opened.page.url()).pathname).to.equal('/console/proxies');
    await opened.page.getByText('developer@example.com').waitFor();
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    await opened.page.waitForURL((url) => !url.href.startsWith(`${base}/console/proxies`));
    await opened.page.goto(`${base}/console/proxies`);
    await opened.page.getByRole('link', { name: 'Sign in with your company account' }).waitFor();
  });

  it('the holder of a management key signs in; a wrong key says what is wrong', async () => {
    await using opened = await openPage(browser);
    const { page } = opened;
    await page.goto(`${base}/console`);
    await page.getByLabel('Management key').fill('key_wrong');
    await page.getByRole('button', { name: 'Sign in with a management key' }).click();
    await page.getByText('The API key is not valid.').waitFor();
    await page.getByLabel('Management key').fill(api.tenant.managementKey);
    await page.getByRole('button', { name: 'Sign in with a management key' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('Home shows what requests met with, as pictures with their figures', async () => {
    await using opened = await signIn('DEVELOPER');
    const { page, complaints } = opened;
    await open(page, '/', 'Home');
    await page.getByRole('img', { name: 'Requests: 800 in all' }).waitFor();
    await page.getByRole('img', { name: 'Errors: 8 in all' }).waitFor();
    await page.getByRole('link', { name: 'Leaks' }).waitFor();
    await page.getByRole('combobox', { name: 'Period' }).selectOption('month');
    await page.getByRole('img', { name: 'Requests: 800 in all' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('a developer saves a draft, deploys it, sees what is different, and restores what it was', async () => {
    await using opened = await signIn('DEVELOPER');
    const { page, complaints } = opened;
    await page.goto(`${base}/console/proxies/${proxyId}?tab=code`);
    const editor = page.getByRole('textbox', { name: 'request_transform' });
    await editor.waitFor();
    await editor.fill('module.exports = async (req) => ({ body: { changed: true } });');
    await page.getByLabel('Reason').fill('try the change');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft v2 is saved. Nobody is sent to it.').waitFor();
    expect(JSON.stringify((await api.send(`GET /proxies/${proxyId}`)).body)).not.to.contain('changed: true');
    await page.getByRole('button', { name: 'Deploy v2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('v3').waitFor();
    await page.getByText('try the change').first().waitFor();
    await page.getByRole('button', { name: 'Compare' }).last().click();
    await page.getByRole('heading', { name: 'v1 and v3' }).waitFor();
    await page.getByRole('textbox', { name: 'after' }).getByText('changed: true').waitFor();
    await page.getByRole('button', { name: 'Restore' }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Restored v1', { exact: true }).waitFor();
    expect(complaints).to.deep.equal([]);
    const { body } = await api.send(`GET /proxies/${proxyId}`);
    expect(JSON.stringify(body)).to.contain('req.args.body');
  });

  it('the editor completes what code gets and may require, and says what is wrong as it is typed', async () => {
    await using opened = await signIn('DEVELOPER');
    const { page, complaints } = opened;
    await page.goto(`${base}/console/proxies/${proxyId}?tab=code`);
    const editor = page.getByRole('textbox', { name: 'request_transform' });
    // The editor deletes by itself. What Chromium replaces in marked text it gives a style, which the policy refuses.
    const write = async (code: string) => {
      await editor.press('Control+a');
      await editor.press('Delete');
      await editor.fill(code);
    };
    await write('module.exports = async (req) => ({ body: ');
    await editor.press('Control+End');
    await page.keyboard.type('req.arg');
    await page.getByRole('option', { name: 'args' }).waitFor();
    // A completion that has just appeared is not accepted yet.
    await page.getByRole('option', { name: 'args', selected: true }).click();
    await page.keyboard.type('.bo');
    await page.getByRole('option', { name: 'body' }).waitFor();
    await page.keyboard.press('Escape');
    await write(
      "const fs = require('fs');\nmodule.exports = async (req) => {\n  return { bdy: req.argz, headers: req.bt.tokens.retrive('x') };\n};",
    );
    const problems = page.getByRole('list', { name: 'request_transform: problems' });
    await problems.getByText('line 3: req has no argz. It has args, configuration, bt.').waitFor();
    await problems.getByText('line 1: fs is none of the packages that code may require.').waitFor();
    await problems.getByText('line 3: The result has no bdy. It may have body, headers.').waitFor();
    await problems.getByText('line 3: req.bt.tokens has no retrive.').waitFor();
    expect(await findings(page, undefined)).to.deep.equal([]);
    await write('module.exports = async (req) => { return { body: 1 ');
    await problems.getByText('This is not JavaScript').first().waitFor();
    await write(
      "const { createHash } = require('node:crypto');\nmodule.exports = async ({ args, bt }) => ({\n  body: args.body.any.thing, headers: [1].map((x) => { return { any: x }; })[0],\n});",
    );
    await problems.waitFor({ state: 'detached' });
    expect(complaints).to.deep.equal([]);
  });

  it('a developer rolls a version out as a shadow, sees where it differs, and completes it', async () => {
    await using opened = await signIn('DEVELOPER');
    const { page, complaints } = opened;
    const proxy = { name: 'rolled out', destination_url: 'https://example.com/1' };
    const { id, key } = (await api.send('POST /proxies', { body: proxy })).body;
    const draft = { ...proxy, destination_url: 'https://example.com/2' };
    await api.send(`POST /proxies/${id}/versions`, { body: draft });
    await page.goto(`${base}/console/proxies/${id}?tab=rollout`);
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('shadow');
    await page.getByLabel('Share, in percent').fill('30');
    await page.getByRole('button', { name: 'Begin a rollout' }).click();
    await page.getByText('It serves nobody, and is tried on 30 % of the requests').waitFor();
    const names = redisNames(api.config.redisPrefix);
    const stored = await redis.getBuffer(names.record(proxyRolloutRecord(hashKey(key))));
    const { record } = decodeRecord(stored!);
    const rolledOut = record?.$case === 'proxyRollout' ? record.value.id : '';
    {
      const onLost = (error: unknown) => expect.fail(String(error));
      await using counter = new RolloutCounter({ redis, names, onLost });
      counter.note({ rolloutId: rolledOut, version: 2, failed: false, ms: 10 });
      counter.noteCompared(rolledOut, [{ path: '/request/body/total', kind: 'value' }]);
      counter.noteSkipped(rolledOut);
    }
    await page.getByText('1 results compared, 0 of them equal').waitFor();
    await page.getByText('1 requests were left out').waitFor();
    await page.getByRole('row', { name: '/request/body/total another value 1' }).waitFor();
    await page.getByRole('row', { name: 'v2 1 0 9.85 ms 9.85 ms' }).waitFor();
    expect(await findings(page, undefined)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Complete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
    await page.getByText('completed').waitFor();
    const { body } = await api.send(`GET /proxies/${id}`);
    expect(body).to.include({ destination_url: draft.destination_url });
    await page.getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('No rollout.').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('a developer tries code before it counts, and sees the line that fails', async () => {
    await using opened = await signIn('DEVELOPER');
    const { page } = opened;
    await page.goto(`${base}/console/proxies/${proxyId}?tab=code`);
    const editor = page.getByRole('textbox', { name: 'request_transform' });
    await editor.fill(
      'module.exports = async (req) => ({ body: { twice: req.args.body.amount * 2 }, headers: {} });',
    );
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('"twice": 2500').waitFor();
    await editor.fill('module.exports = async (req) => {\n  return req.args.body.nothing.here;\n};');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('line 2, column').waitFor();
    expect(JSON.stringify((await api.send(`GET /proxies/${proxyId}`)).body)).not.to.contain('nothing.here');
  });

  it('on call: a failure arrives live, and leads to the line that threw', async () => {
    await using opened = await signIn('VIEWER');
    const { page, complaints } = opened;
    await open(page, '/invocations?outcome=failed', 'Invocations');
    const streamed = page.waitForResponse((response) => response.url().includes('/invocations/stream'));
    await page.reload();
    await streamed;
    const code = 'module.exports = async () => {\n  return nothing.here;\n};';
    const proxy = { name: 'fails', destination_url: 'https://example.com', request_transform: { code } };
    const outline = failedAt(2, (await api.send('POST /proxies', { body: proxy })).body.id);
    const quiet: InvocationOutline = { ...outline, id: randomUUID(), outcome: 'succeeded' };
    await outlines.add(new Map([[api.tenant.id, [quiet, outline]]]));
    const row = page.getByRole('row').filter({ hasText: 'internal · line 2' });
    await row.waitFor();
    // The heading is a row, too.
    expect(await page.getByRole('row').count()).to.equal(2);
    expect(await row.getByRole('img').getAttribute('aria-label')).to.contain('Code of the proxy 8.4 ms');
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'The code threw at line 2, column 9' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'return nothing.here' }).waitFor();
    await page.getByText('Your role lacks the permission log:read.').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('a change that somebody else has overtaken is refused, and the text stays', async () => {
    await using opened = await signIn('DEVELOPER');
    const { page } = opened;
    await page.goto(`${base}/console/formulas/${formulaId}?tab=code`);
    const editor = page.getByRole('textbox', { name: 'code' });
    await editor.fill('module.exports = async () => ({ raw: { mine: true } });');
    const { body } = await api.send(`GET /reactor-formulas/${formulaId}`);
    const overtaken = await api.send(`PUT /reactor-formulas/${formulaId}`, {
      body: { ...body, name: 'other' },
    });
    expect(overtaken.status, overtaken.text).to.equal(200);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Somebody else has changed this meanwhile').waitFor();
    expect(await editor.textContent()).to.contain('mine: true');
  });

  it('a viewer finds what would fail disabled, with its reason', async () => {
    await using opened = await signIn('VIEWER');
    const { page } = opened;
    await open(page, '/members', 'Members');
    const invite = page.getByRole('button', { name: 'Invite' });
    expect(await invite.getAttribute('aria-disabled')).to.equal('true');
    expect(await invite.getAttribute('title')).to.equal(
      'Your role lacks the permission tenant:invitation:create.',
    );
    await invite.click({ force: true });
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await page.goto(`${base}/console/audit`);
    await page.getByText('You may not see this').waitFor();
  });

  it('an auditor asks what a key may do, and sees by which rule', async () => {
    await using opened = await signIn('AUDITOR');
    const { page } = opened;
    await open(page, '/applications', 'Applications');
    await page.getByRole('link', { name: markup }).click();
    const question = page.getByRole('form', { name: 'Can a key of it do this?' });
    const answer = page.getByRole('status');
    await question.getByLabel('In the container').fill('/pci/high/');
    await question.getByLabel('Towards the host (empty: anywhere)').fill('api.example.com');
    await question.getByRole('button', { name: 'Ask' }).click();
    await answer.getByText('by rule 2: sees the values').waitFor();
    const rules = page.getByRole('listitem');
    await rules.filter({ hasText: 'sees no values' }).getByText('is about something else').waitFor();
    await rules.filter({ hasText: 'towards api.example.com only' }).getByText('decides').waitFor();
    // The address asks the same again.
    await page.goto(page.url().replace('api.example.com', 'elsewhere.example.com'));
    await answer.getByText('by rule 2: the rules for this container are bound to other hosts').waitFor();
    expect(await page.getByRole('button', { name: 'Add a key' }).getAttribute('aria-disabled')).to.equal(
      'true',
    );
  });

  it('an owner sees what became of deliveries, tests a webhook and sends an event again', async () => {
    await using opened = await signIn('OWNER');
    const { page } = opened;
    await open(page, '/webhooks', 'Webhooks');
    await page.getByRole('link', { name: markup }).click();
    await page.getByText('Nothing was delivered in the last 7 days').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
    await row.getByText('waiting').waitFor();
    // In place of a runner.
    const [sent] = await deliveries.latest(webhookId, 1);
    const attempt = { at: new Date().toISOString(), duration_ms: 7, error: 'refused' };
    if (sent !== undefined) await deliveries.note(webhookId, sent.event, 'failed', attempt);
    await row.getByText('refused after 7 ms').waitFor();
    await row.getByText('failed', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Send again' }).click();
    await row.getByText('waiting').waitFor();
  });

  it('an auditor sees no value anywhere: page, storage, network', async () => {
    await using opened = await signIn('AUDITOR');
    const { page, context } = opened;
    const bodies: string[] = [];
    page.on('response', (response) => {
      void response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      );
    });
    for (const [path, heading] of screens) await open(page, path, heading);
    await page.goto(`${base}/console/tokens/${encodeURIComponent(tokenId)}`);
    await page.getByText('not shown').waitFor();
    expect(await page.getByRole('button', { name: 'Reveal…' }).getAttribute('aria-disabled')).to.equal(
      'true',
    );
    await page.goto(`${base}/console/proxies/${proxyId}`);
    await page.getByText('destination_url').waitFor();
    const stored = JSON.stringify(await context.storageState());
    const seen = bodies.join('') + stored + (await page.content());
    expect(seen).to.contain('example.com/a');
    expect(seen).not.to.contain('secret-of-the-configuration');
    expect(seen).not.to.match(/what the mask leaves|the plain value of the token/);
    expect(seen).not.to.contain(api.tenant.managementKey);
  });

  it('an owner finds a token, sees who has used it and where it went, and reveals it with a reason', async () => {
    await using opened = await signIn('OWNER');
    const { page, complaints, context } = opened;
    await open(page, '/tokens', 'Tokens');
    await page.getByRole('button', { name: 'pci/', exact: true }).click();
    await page.getByRole('link', { name: 'another' }).waitFor({ state: 'detached' });
    await page.getByText('what the mask leaves').waitFor();
    await page.getByRole('link', { name: tokenId }).click();
    await page.getByRole('heading', { level: 1, name: tokenId }).waitFor();
    await page.getByText('api.stripe.example:443').waitFor();
    await page.getByRole('button', { name: 'Reveal…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('too short');
    expect(await dialog.getByRole('button', { name: 'Reveal…' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Reason').fill('the customer asked for it');
    expect(await findings(page, undefined)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Reveal…' }).click();
    await dialog.getByText(plainValue).waitFor();
    expect(tokens.asked.at(-1)?.slice(2)).to.deep.equal([tokenId, 'the customer asked for it']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.to.contain(plainValue);
    expect(JSON.stringify(await context.storageState()) + page.url()).not.to.contain(plainValue);
    expect(complaints).to.deep.equal([]);
  });

  it('markup in names is text', async () => {
    await using opened = await signIn('OWNER');
    const { page, complaints } = opened;
    await page.goto(`${base}/console/proxies`);
    await page.getByRole('link', { name: markup }).waitFor();
    await page.goto(`${base}/console/proxies/${proxyId}`);
    await page.getByRole('heading', { name: markup }).waitFor();
    expect(await page.title()).to.equal(`${markup} · Glovebox`);
    expect(await page.locator('img').count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it('the palette leads to screens and resources by keyboard alone', async () => {
    await using opened = await signIn('OWNER');
    const { page } = opened;
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    // By its role it is gone as soon as it is hidden, before the page has heard of it.
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  });

  // What colours and width change is looked at twice.
  for (const [colorScheme, width, rules] of [
    ['light', 1440, undefined],
    ['dark', 390, ['color-contrast', 'scrollable-region-focusable', 'target-size']],
  ] as const) {
    it(`${rules === undefined ? 'every screen is' : 'screens are'} accessible and within the policy, ${colorScheme}, ${width} px wide`, async () => {
      await using opened = await signIn('OWNER', { colorScheme, width });
      const { page, complaints } = opened;
      const code = `/proxies/${proxyId}?tab=code`;
      for (const [path, heading] of [
        ...(rules === undefined ? screens : [...screens.slice(1, 2), ...screens.slice(-4)]),
        [`/proxies/${proxyId}?tab=versions`, markup],
        [`/proxies/${proxyId}?tab=rollout`, markup],
        [`/tokens/${encodeURIComponent(tokenId)}`, tokenId],
        [`/applications/${applicationId}?permission=token:use&container=/pci/`, markup],
        [`/webhooks/${webhookId}`, markup],
        [code, markup],
      ] as const) {
        await show(page, path, heading);
        const loading = page.getByText('Loading…').first();
        while ((await loading.count()) > 0) await loading.waitFor({ state: 'detached' });
        expect(await findings(page, rules), path).to.deep.equal([]);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${path} is wider than the window`).to.be.at.most(0);
      }
      expect(complaints).to.deep.equal([]);
    });
  }

  it('the first screen needs at most 250 KB, and nothing from elsewhere', async () => {
    await using opened = await openPage(browser);
    let bytes = 0;
    const hosts = new Set<string>();
    opened.page.on('response', (response) => {
      hosts.add(new URL(response.url()).origin);
      bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await opened.page.goto(`${base}/console`);
    await opened.page.getByLabel('Management key').waitFor();
    expect([...hosts]).to.deep.equal([base]);
    expect(bytes).to.be.within(20_000, 250 * 1024);
  });
});

/** What axe finds serious or critical. */
async function findings(page: Page, rules: readonly string[] | undefined): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const run = (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe;
    const { violations } = await run.run({
      resultTypes: ['violations'],
      ...(only === undefined ? {} : { runOnly: only }),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, rules);
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
