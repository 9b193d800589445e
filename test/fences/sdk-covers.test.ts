import { readOpenApiDocument } from '@glovebox/openapi/document';
import { Glovebox } from '@glovebox/sdk/glovebox';
import type { TransportRequest } from '@glovebox/sdk/transport';
import { expect } from 'chai';

import { pathFinder } from '../harness/api-paths.ts';
import { operationsOf } from '../harness/public-operations.ts';

const document = readOpenApiDocument();
const findPath = pathFinder(document);
const code = 'module.exports = 1';
const formula = { name: 'f', type: 'private', code } as const;
const proxy = { name: 'p', destinationUrl: 'https://example.org' };
const token = { type: 'token', data: 1 } as const;
const webhook = { name: 'w', url: 'https://example.org', events: ['reactor.failed'] } as const;

/** The method of the client for each operation. */
const calls: Readonly<Record<string, (client: Glovebox) => Promise<unknown>>> = {
  createToken: (c) => c.tokens.create(token),
  listTokens: (c) => c.tokens.list(),
  searchTokens: (c) => c.tokens.search({ query: '' }),
  getToken: (c) => c.tokens.retrieve('a'),
  updateToken: (c) => c.tokens.update('a', {}),
  deleteToken: (c) => c.tokens.delete('a'),
  createChildToken: (c) => c.tokens.createChild('a', token),
  listChildTokens: (c) => c.tokens.listChildren('a'),
  associateTokens: (c) => c.tokens.createAssociation('a', 'b'),
  dissociateTokens: (c) => c.tokens.deleteAssociation('a', 'b'),
  listTokensByCursor: (c) => c.tokensV2.list(),
  searchTokensByCursor: (c) => c.tokensV2.search({}),
  createTokenIntent: (c) => c.tokenIntents.create(token),
  deleteTokenIntent: (c) => c.tokenIntents.delete('a'),
  tokenize: (c) => c.tokenize(1),
  detokenize: (c) => c.detokenize(1),
  createProxy: (c) => c.proxies.create(proxy),
  tryProxyCode: (c) => c.proxies.try({ code, event: {} }),
  tryFormulaCode: (c) => c.reactorFormulas.try({ code, event: {} }),
  listProxies: (c) => c.proxies.list(),
  getProxy: (c) => c.proxies.retrieve('a'),
  updateProxy: (c) => c.proxies.update('a', proxy),
  patchProxy: (c) => c.proxies.patch('a', {}),
  deleteProxy: (c) => c.proxies.delete('a'),
  listProxyVersions: (c) => c.proxies.versions.list('a'),
  createProxyDraft: (c) => c.proxies.versions.create('a', proxy),
  getProxyVersion: (c) => c.proxies.versions.retrieve('a', 1),
  restoreProxyVersion: (c) => c.proxies.versions.restore('a', 1),
  getReactorRollout: (c) => c.reactors.rollouts.retrieve('a'),
  updateReactorRollout: (c) => c.reactors.rollouts.update('a', { version: 2, percent: 10 }),
  completeReactorRollout: (c) => c.reactors.rollouts.complete('a'),
  deleteReactorRollout: (c) => c.reactors.rollouts.delete('a'),
  getProxyRollout: (c) => c.proxies.rollouts.retrieve('a'),
  updateProxyRollout: (c) => c.proxies.rollouts.update('a', { version: 2, percent: 10 }),
  completeProxyRollout: (c) => c.proxies.rollouts.complete('a'),
  deleteProxyRollout: (c) => c.proxies.rollouts.delete('a'),
  listProxyInvocations: (c) => c.proxies.listInvocations('a'),
  createReactorFormula: (c) => c.reactorFormulas.create(formula),
  listReactorFormulas: (c) => c.reactorFormulas.list(),
  getReactorFormula: (c) => c.reactorFormulas.retrieve('a'),
  updateReactorFormula: (c) => c.reactorFormulas.update('a', formula),
  deleteReactorFormula: (c) => c.reactorFormulas.delete('a'),
  listReactorFormulaVersions: (c) => c.reactorFormulas.versions.list('a'),
  createReactorFormulaDraft: (c) => c.reactorFormulas.versions.create('a', formula),
  getReactorFormulaVersion: (c) => c.reactorFormulas.versions.retrieve('a', 1),
  restoreReactorFormulaVersion: (c) => c.reactorFormulas.versions.restore('a', 1),
  createReactor: (c) => c.reactors.create({ name: 'r', code }),
  listReactors: (c) => c.reactors.list(),
  getReactor: (c) => c.reactors.retrieve('a'),
  updateReactor: (c) => c.reactors.update('a', { name: 'r' }),
  patchReactor: (c) => c.reactors.patch('a', {}),
  deleteReactor: (c) => c.reactors.delete('a'),
  listReactorVersions: (c) => c.reactors.versions.list('a'),
  createReactorDraft: (c) => c.reactors.versions.create('a', { name: 'r' }),
  getReactorVersion: (c) => c.reactors.versions.retrieve('a', 1),
  restoreReactorVersion: (c) => c.reactors.versions.restore('a', 1),
  react: (c) => c.reactors.react('a'),
  reactAsync: (c) => c.reactors.reactAsync('a'),
  getReactorResult: (c) => c.reactors.retrieveResult('a', 'b'),
  listReactorInvocations: (c) => c.reactors.listInvocations('a'),
  createApplication: (c) => c.applications.create({ name: 'a', type: 'private' }),
  listApplications: (c) => c.applications.list(),
  getOwnApplication: (c) => c.applications.retrieveByKey(),
  getApplication: (c) => c.applications.retrieve('a'),
  updateApplication: (c) => c.applications.update('a', { name: 'a' }),
  deleteApplication: (c) => c.applications.delete('a'),
  simulateAccess: (c) => c.applications.simulateAccess('a', { permission: 'token:read', container: '/' }),
  regenerateApplicationKey: (c) => c.applications.regenerateKey('a'),
  createApplicationKey: (c) => c.applicationKeys.create('a'),
  listApplicationKeys: (c) => c.applicationKeys.get('a'),
  getApplicationKey: (c) => c.applicationKeys.getById('a', 'b'),
  deleteApplicationKey: (c) => c.applicationKeys.delete('a', 'b'),
  listApplicationTemplates: (c) => c.applicationTemplates.list(),
  getApplicationTemplate: (c) => c.applicationTemplates.retrieve('a'),
  createKey: (c) => c.keys.create(),
  listKeys: (c) => c.keys.list(),
  getKey: (c) => c.keys.retrieve('a'),
  deleteKey: (c) => c.keys.delete('a'),
  listPermissions: (c) => c.permissions.list(),
  listRoles: (c) => c.permissions.listRoles(),
  createSession: (c) => c.sessions.create(),
  authorizeSession: (c) => c.sessions.authorize({ nonce: 'n' }),
  getTenant: (c) => c.tenants.retrieve(),
  updateTenant: (c) => c.tenants.update({ name: 't' }),
  deleteTenant: (c) => c.tenants.delete(),
  getUsageReport: (c) => c.tenants.retrieveUsageReport(),
  getOperationsReport: (c) => c.tenants.retrieveOperationsReport(),
  getEncryptionKeysReport: (c) => c.tenants.retrieveEncryptionKeysReport(),
  getTrafficReport: (c) => c.tenants.retrieveTrafficReport(),
  getEgressPolicy: (c) => c.tenants.retrieveEgressPolicy(),
  updateEgressPolicy: (c) => c.tenants.updateEgressPolicy({ mode: 'off', destinations: [], ephemeral: true }),
  listTenantMembers: (c) => c.tenants.listMembers(),
  updateTenantMember: (c) => c.tenants.updateMember('a', { role: 'OWNER' }),
  deleteTenantMember: (c) => c.tenants.deleteMember('a'),
  createTenantInvitation: (c) => c.tenants.createInvitation({ email: 'a@b' }),
  listTenantInvitations: (c) => c.tenants.listInvitations(),
  getTenantInvitation: (c) => c.tenants.retrieveInvitation('a'),
  deleteTenantInvitation: (c) => c.tenants.deleteInvitation('a'),
  resendTenantInvitation: (c) => c.tenants.resendInvitation('a'),
  listAsyncInvocations: (c) => c.invocations.listAsynchronous(),
  getInvocationFigures: (c) => c.invocations.figures(),
  listInvocations: (c) => c.invocations.list(),
  getInvocation: (c) => c.invocations.retrieve('a'),
  followInvocations: (c) => {
    const end = new AbortController();
    setImmediate(() => end.abort());
    return c.invocations.follow({}, { signal: end.signal }).next();
  },
  listLogs: (c) => c.logs.list(),
  exportLogs: (c) => c.logs.export({ startDate: '2026-01-01' }),
  listLogEntityTypes: (c) => c.logs.listEntityTypes(),
  createWebhook: (c) => c.webhooks.create(webhook),
  listWebhooks: (c) => c.webhooks.list(),
  listWebhookEventTypes: (c) => c.webhooks.listEventTypes(),
  getWebhook: (c) => c.webhooks.retrieve('a'),
  updateWebhook: (c) => c.webhooks.update('a', webhook),
  deleteWebhook: (c) => c.webhooks.delete('a'),
  rotateWebhookSecret: (c) => c.webhooks.rotateSecret('a'),
  testWebhook: (c) => c.webhooks.test('a'),
  listWebhookDeliveries: (c) => c.webhooks.deliveries('a'),
  resendWebhookDelivery: (c) => c.webhooks.resend('a', 'b'),
  invokeProxyByGet: (c) => c.proxy.get(),
  invokeProxyByPost: (c) => c.proxy.post(),
  invokeProxyByPut: (c) => c.proxy.put(),
  invokeProxyByPatch: (c) => c.proxy.patch(),
  invokeProxyByDelete: (c) => c.proxy.delete(),
  invokeProxyByGetWithPath: (c) => c.proxy.get({ path: 'a' }),
  invokeProxyByPostWithPath: (c) => c.proxy.post({ path: 'a' }),
  invokeProxyByPutWithPath: (c) => c.proxy.put({ path: 'a' }),
  invokeProxyByPatchWithPath: (c) => c.proxy.patch({ path: 'a' }),
  invokeProxyByDeleteWithPath: (c) => c.proxy.delete({ path: 'a' }),
};

describe('the client', () => {
  it('has a method for every operation that asks for a key, and none is missing here', () => {
    const described = operationsOf(document).filter(({ permission }) => permission !== 'none');
    const ids = described.map(({ operation }) => operation.operationId);
    expect(Object.keys(calls).toSorted()).to.deep.equal(ids.toSorted());
  });

  for (const [operationId, call] of Object.entries(calls)) {
    it(`calls ${operationId} by its address`, async () => {
      let sent: TransportRequest | undefined;
      const transport = async (request: TransportRequest) => {
        sent = request;
        return { status: 200, headers: {}, body: '{}' };
      };
      await call(await new Glovebox().init('key_1', { transport }));
      const method = sent?.method.toLowerCase() as 'get';
      expect(findPath(sent?.path ?? '', method)?.item[method]?.operationId).to.equal(operationId);
    });
  }
});
