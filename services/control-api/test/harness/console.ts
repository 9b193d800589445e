import { randomUUID } from 'node:crypto';

import { freePort } from '@glovebox/local/ports';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { DeliveryStore } from '@glovebox/published/delivery-store';
import type { InvocationOutline } from '@glovebox/published/invocation-outline';
import { redisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { type WatchedPage, openPage, startChromium } from '../../../../test/harness/chromium.ts';
import type { ControlConfig } from '../../src/config.ts';
import { type TestApi, type TestTenant, newTenant, startTestApi } from './api.ts';
import { markup, plainValues, sources, tokenId } from './console-data.ts';
import { type TestProvider, startProvider } from './identity-provider.ts';
import { reversingSealer } from './reversing-sealer.ts';
import { newInstallation } from './stores.ts';

export const otherName = 'Z tenant';

type Person = 'OWNER' | 'DEVELOPER' | 'AUDITOR' | 'VIEWER';

/** A control-api with a console, an identity provider and a browser; every person signs in once. */
export interface TestConsole extends AsyncDisposable {
  readonly api: TestApi;
  readonly base: string;
  readonly browser: Browser;
  readonly provider: TestProvider;
  /** A second tenant, of which the owner is an owner, too. */
  readonly other: TestTenant;
  readonly redis: Redis;
  readonly outlines: OutlineStore;
  readonly deliveries: DeliveryStore;
  readonly seeded: Seeded;
  /** A page of somebody who is signed in, at a screen of the console: the same page as the last time, loaded anew. */
  as(person: Person, path: string, heading: string, options?: PageOptions): Promise<WatchedPage>;
  /** The same with a sign-in of its own. */
  signIn(person: Person, options?: PageOptions): Promise<WatchedPage>;
}

type PageOptions = Parameters<typeof openPage>[1];

/** What is there from the beginning; all of it has markup for a name. */
interface Seeded {
  readonly proxyId: string;
  readonly reactorId: string;
  readonly formulaId: string;
  readonly applicationId: string;
  readonly webhookId: string;
  readonly outline: InvocationOutline;
}

export async function startConsole(): Promise<TestConsole> {
  await using starting = new AsyncDisposableStack();
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const consoleUrl = `${base}/console`;
  const [provider, browser, config] = await Promise.all([
    startProvider(`${consoleUrl}/session/callback`),
    startChromium(),
    newInstallation(),
  ]);
  starting.use(provider);
  starting.defer(() => browser.close());
  const [tenant, other] = [await newTenant(config), await newTenant(config)];
  const onError = () => undefined;
  const redis = createRedis({
    url: config.redisUrl,
    connectionName: 'test',
    commandTimeoutMs: 5000,
    onError,
  });
  starting.defer(() => redis.disconnect());
  const signInSettings = settingsOf(provider, consoleUrl, tenant, other);
  const started = starting.use(
    await startTestApi(
      { sealer: reversingSealer, ...sources },
      { ...config, httpPort: port, egressProfile: 'development', signIn: signInSettings },
    ),
  );
  const api: TestApi = {
    ...started,
    tenant,
    send: (request, sent) => started.send(request, { key: tenant.managementKey, ...sent }),
  };
  // A person is signed in to the first by its name.
  await started.send('PUT /tenants/self', { key: other.managementKey, body: { name: otherName } });
  const names = redisNames(config.redisPrefix);
  const outlines = new OutlineStore(redis, names);
  const deliveries = new DeliveryStore(redis, names);
  const seeded = await seed(api, outlines);
  const people = peopleOf(browser, provider, base);
  const running = starting.move();
  return {
    api,
    base,
    browser,
    provider,
    other,
    redis,
    outlines,
    deliveries,
    seeded,
    ...people,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function settingsOf(
  { issuer, clientId, clientSecret }: TestProvider,
  consoleUrl: string,
  tenant: TestTenant,
  other: TestTenant,
): ControlConfig['signIn'] {
  const roles: readonly Person[] = ['DEVELOPER', 'AUDITOR', 'VIEWER', 'OWNER'];
  const grant = (role: Person, tenantId: string) => ({ by: 'group' as const, name: role, tenantId, role });
  return {
    consoleUrl,
    withKeys: true,
    grants: [...roles.map((role) => grant(role, tenant.id)), grant('OWNER', other.id)],
    provider: { issuer, clientId, clientSecret: new Secret(clientSecret) },
  };
}

/** People at browsers of their own. Who is there again is signed in already. */
function peopleOf(
  browser: Browser,
  provider: TestProvider,
  base: string,
): Pick<TestConsole, 'as' | 'signIn'> {
  const known = new Map<string, WatchedPage>();
  const cookies = new Map<Person, Awaited<ReturnType<BrowserContext['storageState']>>>();
  const signIn: TestConsole['signIn'] = async (person, options) => {
    const email = `${person.toLowerCase()}@example.com`;
    provider.account = { sub: person, email, groups: [person] };
    const opened = await openPage(browser, options);
    await opened.page.goto(`${base}/console/session/login?return_to=/console/proxies`);
    await opened.page.getByRole('heading', { name: 'Proxies' }).waitFor();
    return opened;
  };
  const as: TestConsole['as'] = async (person, path, heading, options = {}) => {
    if (!cookies.has(person)) {
      await using opened = await signIn(person);
      cookies.set(person, await opened.context.storageState());
    }
    const storageState = cookies.get(person);
    const name = JSON.stringify([person, options]);
    const signedIn = storageState === undefined ? {} : { storageState };
    const opened = known.get(name) ?? (await openPage(browser, { ...options, ...signedIn }));
    known.set(name, opened);
    opened.complaints.length = 0;
    opened.page.removeAllListeners('request').removeAllListeners('response');
    await opened.page.goto(`${base}/console${path}`);
    await atHeading(opened.page, heading);
    return { ...opened, [Symbol.asyncDispose]: () => Promise.resolve() };
  };
  return { as, signIn };
}

async function seed(api: TestApi, outlines: OutlineStore): Promise<Seeded> {
  const create = async (path: string, body: object) => {
    const answer = await api.send(`POST ${path}`, { body });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  const proxyId = await create('/proxies', {
    name: markup,
    destination_url: 'https://example.com/a',
    request_transform: { code: 'module.exports = async (req) => ({ body: req.args.body });' },
    configuration: { KEY: plainValues.configuration },
  });
  const code = 'module.exports = async () => ({ raw: {} });';
  const formulaId = await create('/reactor-formulas', {
    name: markup,
    description: markup,
    type: 'private',
    code,
  });
  const reactorId = await create('/reactors', { name: markup, formula: { id: formulaId } });
  const applicationId = await create('/applications', {
    name: markup,
    type: 'private',
    rules: [
      { priority: 1, container: '/pci/high/', transform: 'redact', permissions: ['token:read'] },
      {
        description: markup,
        priority: 2,
        container: '/pci/',
        transform: 'reveal',
        permissions: ['token:use'],
        destinations: ['api.example.com'],
      },
    ],
  });
  const webhookId = await create('/webhooks', {
    name: markup,
    url: 'https://example.com/hook',
    events: ['proxy.created'],
  });
  const outline = failedAt(1, proxyId);
  await outlines.add(new Map([[api.tenant.id, [outline]]]));
  return { proxyId, reactorId, formulaId, applicationId, webhookId, outline };
}

/** Of a proxy whose first version threw there. */
export function failedAt(line: number, proxyId: string): InvocationOutline {
  return {
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
  };
}

/** The same page at another screen, without loading it again. */
export async function show(page: Page, path: string, heading: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`);
  await atHeading(page, heading);
}

async function atHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

/** Until everything that the screen reads is there. */
export async function loaded(page: Page): Promise<void> {
  const loading = page.getByText('Loading…').first();
  while ((await loading.count()) > 0) await loading.waitFor({ state: 'detached' });
}

/** Every screen with its heading. @param of what is open on those that show one thing */
export function screensOf(of: Seeded): readonly (readonly [path: string, heading: string])[] {
  return [
    ['/', 'Home'],
    ['/invocations', 'Invocations'],
    [`/invocations/${of.outline.id}`, 'Invocation'],
    ['/invocations/asynchronous', 'Asynchronous runs'],
    ['/proxies', 'Proxies'],
    [`/proxies/${of.proxyId}`, markup],
    [`/proxies/${of.proxyId}?tab=code`, markup],
    [`/proxies/${of.proxyId}?tab=versions`, markup],
    [`/proxies/${of.proxyId}?tab=rollout`, markup],
    ['/reactors', 'Reactors'],
    [`/reactors/${of.reactorId}`, markup],
    ['/formulas', 'Formulas'],
    [`/formulas/${of.formulaId}?tab=code`, markup],
    ['/webhooks', 'Webhooks'],
    [`/webhooks/${of.webhookId}`, markup],
    ['/tokens', 'Tokens'],
    [`/tokens/${encodeURIComponent(tokenId)}`, tokenId],
    ['/applications', 'Applications'],
    [`/applications/${of.applicationId}?permission=token:use&container=/pci/`, markup],
    ['/members', 'Members'],
    ['/egress', 'Egress'],
    ['/audit', 'Audit log'],
    ['/encryption-keys', 'Encryption keys'],
    ['/settings', 'Settings & usage'],
  ];
}
