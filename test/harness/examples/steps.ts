import { until } from '../until.ts';
import type { World } from './world.ts';

/** How the examples of one operation are sent. */
export interface Step {
  /** Whose key: one of the tenant's, or one that was kept. Default: the management key, and the private one at the gateway. */
  readonly key?: 'management' | 'private' | 'public' | 'application' | 'masking';
  /** For parameters of the path, the name of what was kept; the text itself if nothing was. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Under which name a member of the answer is kept; a path such as `data.0.id`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** What the example needs that no other example makes. */
  readonly first?: (world: World) => Promise<unknown>;
  /** What it shows comes after a while, so it is asked for again. */
  readonly later?: true;
  /** The example shows only a part, since the whole is too long. */
  readonly excerpt?: true;
  /** What is shown, and takes months or an operator's work to come about. */
  readonly lacks?: readonly string[];
  /** The answer never ends: the first event counts. */
  readonly endless?: true;
}

const comment = { 'SVC-Comment': 'Moved to the new region' };
const proxied: Step = { headers: { 'SVC-PROXY-KEY': '{proxyKey}' } };
const [application, key, formula, reactor] = ['application', 'key', 'formula', 'reactor'];
const [proxy, webhook, token, clientKey] = ['proxy', 'webhook', 'token', 'clientKey'];
const ofApplication: Step = { path: { id: application } };
const ofFormula: Step = { path: { id: formula } };
const ofReactor: Step = { path: { id: reactor } };
const ofProxy: Step = { path: { id: proxy } };
const ofWebhook: Step = { path: { id: webhook } };
const ofToken: Step = { key: 'masking', path: { id: token } };
const versionOf = (id: string, version = '2'): Step => ({ path: { id, version } });
const ofInvitation: Step = { path: { id: 'invitation' } };
const childOf: Step = { key: 'masking', path: { id: token, child_id: 'child' } };

/** By the operation, in an order in which each finds what it needs. */
export const steps: Readonly<Record<string, Step>> = {
  getOpenApiDocument: { excerpt: true },
  getDocumentation: {},

  getErrorDocumentation: {},
  getDocumentationPage: {},
  getDocumentationFile: {},
  listAuditKeys: {},
  listPermissions: {},
  listRoles: {},
  listApplicationTemplates: { keep: { template: '0.id' } },
  getApplicationTemplate: { path: { id: 'template' } },

  updateEgressPolicy: {},
  getEgressPolicy: {},
  createTenantInvitation: { keep: { invitation: 'id' } },
  listTenantInvitations: {},
  getTenantInvitation: ofInvitation,
  resendTenantInvitation: ofInvitation,
  deleteTenantInvitation: ofInvitation,
  listTenantMembers: { first: (world) => world.addMember() },
  updateTenantMember: { path: { id: 'member' } },
  deleteTenantMember: { path: { id: 'member' } },

  createApplication: { keep: { application: 'id', applicationKey: 'key' } },
  listApplications: {},
  getApplication: ofApplication,
  simulateAccess: {
    ...ofApplication,
    query: '?permission=token:use&container=/pci/high/&destination=api.example.com',
  },
  getOwnApplication: { key: 'application' },
  createApplicationKey: { ...ofApplication, keep: { key: 'id' } },
  listApplicationKeys: ofApplication,
  getApplicationKey: { path: { id: application, key_id: key } },
  deleteApplicationKey: { path: { id: application, key_id: key } },
  updateApplication: ofApplication,
  regenerateApplicationKey: ofApplication,
  deleteApplication: ofApplication,

  createKey: { key: 'management', keep: { clientKey: 'id' } },
  listKeys: { key: 'management' },
  getKey: { key: 'management', path: { id: clientKey } },
  deleteKey: { key: 'management', path: { id: clientKey } },
  createSession: { key: 'public', keep: { nonce: 'nonce' } },
  authorizeSession: {},

  createTokenIntent: { keep: { intent: 'id' } },
  deleteTokenIntent: { path: { id: 'intent' } },
  createToken: { key: 'masking', first: createMasking, keep: { token: 'id' } },
  getToken: ofToken,
  listTokens: { key: 'masking' },
  searchTokens: { key: 'masking' },
  listTokensByCursor: { key: 'masking' },
  searchTokensByCursor: { key: 'masking' },
  createChildToken: { ...ofToken, keep: { child: 'id' } },
  updateToken: ofToken,
  listChildTokens: ofToken,
  dissociateTokens: childOf,
  associateTokens: childOf,
  tokenize: { key: 'masking' },
  detokenize: {},

  // It switches deduplication on, which would make one token of two.
  updateTenant: {},
  getTenant: {},

  tryProxyCode: {},
  createProxy: { keep: { proxy: 'id', proxyKey: 'key' } },
  listProxies: {},
  getProxy: ofProxy,
  updateProxy: { ...ofProxy, headers: comment },
  listProxyVersions: ofProxy,
  getProxyVersion: versionOf(proxy),
  createProxyDraft: { ...ofProxy, headers: { 'SVC-Comment': 'To try next week' } },
  invokeProxyByGet: proxied,
  invokeProxyByPost: proxied,
  invokeProxyByPut: proxied,
  invokeProxyByPatch: proxied,
  invokeProxyByDelete: proxied,
  invokeProxyByGetWithPath: proxied,
  invokeProxyByPostWithPath: proxied,
  invokeProxyByPutWithPath: proxied,
  invokeProxyByPatchWithPath: proxied,
  invokeProxyByDeleteWithPath: proxied,
  updateProxyRollout: ofProxy,
  getProxyRollout: { ...ofProxy, first: invokeBothVersions, later: true },
  completeProxyRollout: ofProxy,
  deleteProxyRollout: ofProxy,
  restoreProxyVersion: { ...versionOf(proxy, '1'), headers: { 'SVC-Comment': 'Back to the old region' } },
  listProxyInvocations: { key: 'private', path: { id: 'failingProxy' }, first: failAsProxy, later: true },
  listInvocations: { query: '?subject={failingProxy}', keep: { invocation: 'data.0.id' }, later: true },
  getInvocation: { path: { id: 'invocation' } },
  followInvocations: { query: '?subject={failingProxy}', headers: { 'Last-Event-ID': '0-0' }, endless: true },

  tryFormulaCode: {},
  createReactorFormula: { keep: { formula: 'id' } },
  listReactorFormulas: {},
  getReactorFormula: ofFormula,
  createReactor: { keep: { reactor: 'id' } },
  listReactors: {},
  getReactor: ofReactor,
  react: ofReactor,
  reactAsync: { ...ofReactor, keep: { request: 'asyncReactorRequestId' } },
  listAsyncInvocations: { later: true },
  getInvocationFigures: { later: true },
  getReactorResult: { path: { id: reactor, request_id: 'request' }, later: true },
  updateReactor: { ...ofReactor, headers: comment },
  listReactorVersions: ofReactor,
  getReactorVersion: versionOf(reactor),
  createReactorDraft: { ...ofReactor, headers: { 'SVC-Comment': 'To try next week' } },
  updateReactorRollout: ofReactor,
  getReactorRollout: { ...ofReactor, first: reactWithBothVersions, later: true },
  completeReactorRollout: ofReactor,
  deleteReactorRollout: ofReactor,
  restoreReactorVersion: { ...versionOf(reactor, '1'), headers: { 'SVC-Comment': 'Back to the old region' } },
  updateReactorFormula: { ...ofFormula, headers: comment },
  listReactorFormulaVersions: ofFormula,
  getReactorFormulaVersion: versionOf(formula),
  createReactorFormulaDraft: { ...ofFormula, headers: { 'SVC-Comment': 'To try next week' } },
  restoreReactorFormulaVersion: {
    ...versionOf(formula, '1'),
    headers: { 'SVC-Comment': 'Back to the old region' },
  },
  listReactorInvocations: {
    key: 'private',
    path: { id: 'failingReactor' },
    first: failAsReactor,
    later: true,
  },

  listWebhookEventTypes: {},
  createWebhook: { keep: { webhook: 'id' } },
  listWebhooks: {},
  getWebhook: ofWebhook,
  updateWebhook: ofWebhook,
  rotateWebhookSecret: ofWebhook,
  testWebhook: { ...ofWebhook, keep: { delivery: 'id' } },
  listWebhookDeliveries: { ...ofWebhook, later: true },
  resendWebhookDelivery: { path: { id: webhook, delivery_id: 'delivery' } },

  listLogEntityTypes: {},
  listLogs: { query: '?entity_type=token&operation=update', later: true },
  exportLogs: { query: '?start_date=2026-01-01', later: true, lacks: ['[2].vault_log_head'] },
  getUsageReport: { later: true, lacks: ['token_report.monthly_active_token_history[0]'] },
  getOperationsReport: { later: true },
  getEncryptionKeysReport: { lacks: ['data_key_rotation'] },
  getTrafficReport: { later: true },

  deleteToken: ofToken,
  patchReactor: ofReactor,
  deleteReactor: ofReactor,
  deleteReactorFormula: ofFormula,
  patchProxy: ofProxy,
  deleteProxy: ofProxy,
  deleteWebhook: ofWebhook,
  deleteTenant: {},
};

const failing =
  "module.exports = (req) => {\n  console.log('begins');\n  const x = req.args.none;\n  x();\n}";

/** Who sees tokens as most do: masked. */
async function createMasking(world: World): Promise<void> {
  const permissions = ['token:create', 'token:read', 'token:update', 'token:search', 'token:delete'];
  const rules = [{ description: 'masked', priority: 1, container: '/', transform: 'mask', permissions }];
  const body = { name: 'masking', type: 'private', rules };
  world.kept.set('maskingKey', (await world.send('POST', '/applications', { body })).key);
}

/** Until each version has served somebody. */
async function invokeBothVersions(world: World): Promise<void> {
  let customer = 0;
  await until('both versions have served', async () => {
    for (let n = 0; n < 10; n += 1) await invoke(world, world.kept.get('proxyKey')!, `c-${(customer += 1)}`);
    return ['/v1', '/v2'].every((path) =>
      world.destination.received.some(({ url }) => url === `${path}/rolled`),
    );
  });
}

async function reactWithBothVersions(world: World): Promise<void> {
  const address = `/reactors/${world.kept.get('reactor')!}`;
  const { private_api_key: key } = world.tenant;
  const body = { args: { card: { number: '4242424242424242' } } };
  let customer = 0;
  await until('both versions have served', async () => {
    for (let n = 0; n < 10; n += 1) {
      const headers = { 'X-Customer': `c-${(customer += 1)}` };
      await world.send('POST', `${address}/react`, { key, headers, body });
    }
    const { versions } = await world.send('GET', `${address}/rollout`);
    return versions.every(({ requests }: { requests: number }) => requests > 0);
  });
}

async function failAsProxy(world: World): Promise<void> {
  const destination_url = world.destination.url;
  const body = { name: 'fails', destination_url, request_transform: { code: failing } };
  const { id, key: failingKey } = await world.send('POST', '/proxies', { body });
  world.kept.set('failingProxy', id);
  await invoke(world, failingKey, 'c-1');
}

async function failAsReactor(world: World): Promise<void> {
  const { id } = await world.send('POST', '/reactors', { body: { name: 'fails', code: failing } });
  world.kept.set('failingReactor', id);
  const body = { args: {} };
  await world.send('POST', `/reactors/${id}/react`, { key: world.tenant.private_api_key, body });
}

async function invoke(world: World, proxyKey: string, customer: string): Promise<void> {
  await world.send('POST', '/proxy/rolled', {
    key: world.tenant.private_api_key,
    headers: { 'SVC-PROXY-KEY': proxyKey, 'X-Customer': customer },
    body: {},
  });
}
