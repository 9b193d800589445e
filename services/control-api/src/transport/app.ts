import express, { type Express } from 'express';

import { publicDocuments } from '../documentation/documents.ts';
import { createApplication } from '../operations/applications/create-application.ts';
import { createKey } from '../operations/applications/create-key.ts';
import { deleteApplication } from '../operations/applications/delete-application.ts';
import { deleteKey } from '../operations/applications/delete-key.ts';
import type { ApplicationDependencies } from '../operations/applications/dependencies.ts';
import { getApplication } from '../operations/applications/get-application.ts';
import { getKey } from '../operations/applications/get-key.ts';
import { getOwnApplication } from '../operations/applications/get-own-application.ts';
import { listApplications } from '../operations/applications/list-applications.ts';
import { listKeys } from '../operations/applications/list-keys.ts';
import { regenerateKey } from '../operations/applications/regenerate-key.ts';
import { updateApplication } from '../operations/applications/update-application.ts';
import { createFormula } from '../operations/formulas/create-formula.ts';
import { deleteFormula } from '../operations/formulas/delete-formula.ts';
import { getFormula } from '../operations/formulas/get-formula.ts';
import { listFormulas } from '../operations/formulas/list-formulas.ts';
import { updateFormula } from '../operations/formulas/update-formula.ts';
import { createInvitation } from '../operations/invitations/create-invitation.ts';
import { deleteInvitation } from '../operations/invitations/delete-invitation.ts';
import { getInvitation } from '../operations/invitations/get-invitation.ts';
import { listInvitations } from '../operations/invitations/list-invitations.ts';
import { resendInvitation } from '../operations/invitations/resend-invitation.ts';
import { listEntityTypes } from '../operations/logs/list-entity-types.ts';
import { type LogDependencies, listLogs } from '../operations/logs/list-logs.ts';
import { listPermissions } from '../operations/permissions/list-permissions.ts';
import { createProxy } from '../operations/proxies/create-proxy.ts';
import { deleteProxy } from '../operations/proxies/delete-proxy.ts';
import type { ProxyDependencies } from '../operations/proxies/dependencies.ts';
import { getProxy } from '../operations/proxies/get-proxy.ts';
import { listProxies } from '../operations/proxies/list-proxies.ts';
import { patchProxy } from '../operations/proxies/patch-proxy.ts';
import { updateProxy } from '../operations/proxies/update-proxy.ts';
import { createReactor } from '../operations/reactors/create-reactor.ts';
import { deleteReactor } from '../operations/reactors/delete-reactor.ts';
import { getReactor } from '../operations/reactors/get-reactor.ts';
import { listReactors } from '../operations/reactors/list-reactors.ts';
import { patchReactor } from '../operations/reactors/patch-reactor.ts';
import { updateReactor } from '../operations/reactors/update-reactor.ts';
import { getTemplate } from '../operations/templates/get-template.ts';
import { listTemplates } from '../operations/templates/list-templates.ts';
import { deleteMember } from '../operations/tenants/delete-member.ts';
import { deleteTenant } from '../operations/tenants/delete-tenant.ts';
import { getTenant } from '../operations/tenants/get-tenant.ts';
import { listMembers } from '../operations/tenants/list-members.ts';
import { updateMember } from '../operations/tenants/update-member.ts';
import { updateTenant } from '../operations/tenants/update-tenant.ts';
import { getOperationsReport } from '../operations/usage/get-operations-report.ts';
import { type UsageDependencies, getUsageReport } from '../operations/usage/get-usage-report.ts';
import { createWebhook } from '../operations/webhooks/create-webhook.ts';
import { deleteWebhook } from '../operations/webhooks/delete-webhook.ts';
import { getWebhook } from '../operations/webhooks/get-webhook.ts';
import { listEventTypes } from '../operations/webhooks/list-event-types.ts';
import { listWebhooks } from '../operations/webhooks/list-webhooks.ts';
import { rotateSecret } from '../operations/webhooks/rotate-secret.ts';
import { updateWebhook } from '../operations/webhooks/update-webhook.ts';
import { type ManagementLimits, admit } from './admit.ts';
import { authenticate } from './authenticate.ts';
import { answerErrors, notFound } from './errors.ts';
import type { PerformOnce } from './idempotency.ts';
import { mount } from './mount.ts';
import { type ObserveOptions, observe } from './observe.ts';
import { type Operation, operation } from './operation.ts';
import { performer } from './perform.ts';
import { jsonReader } from './read-json.ts';
import { secure } from './secure.ts';
import { serveDocument } from './serve-document.ts';

type OperationDependencies = ProxyDependencies &
  ApplicationDependencies &
  UsageDependencies &
  LogDependencies;

export type AppDependencies = OperationDependencies &
  ObserveOptions & {
    readonly performOnce: PerformOnce;
    readonly limits: ManagementLimits | undefined;
    /** Where errors are explained. */
    readonly docsUrl: string;
  };

/** Every route there is, and what each asks of the caller. */
function operations(d: OperationDependencies): readonly Operation[] {
  return [...ofData(d), ...ofTenants(d)];
}

/** What the data plane acts on. */
function ofData(d: OperationDependencies): readonly Operation[] {
  return [
    operation('post', '/proxies', 'proxy:create', createProxy(d)),
    operation('get', '/proxies', 'proxy:read', listProxies(d)),
    operation('get', '/proxies/:id', 'proxy:read', getProxy(d)),
    operation('put', '/proxies/:id', 'proxy:update', updateProxy(d)),
    operation('patch', '/proxies/:id', 'proxy:update', patchProxy(d)),
    operation('delete', '/proxies/:id', 'proxy:delete', deleteProxy(d)),

    operation('post', '/reactor-formulas', 'reactor:create', createFormula(d)),
    operation('get', '/reactor-formulas', 'reactor:read', listFormulas(d)),
    operation('get', '/reactor-formulas/:id', 'reactor:read', getFormula(d)),
    operation('put', '/reactor-formulas/:id', 'reactor:update', updateFormula(d)),
    operation('delete', '/reactor-formulas/:id', 'reactor:delete', deleteFormula(d)),

    operation('post', '/reactors', 'reactor:create', createReactor(d)),
    operation('get', '/reactors', 'reactor:read', listReactors(d)),
    operation('get', '/reactors/:id', 'reactor:read', getReactor(d)),
    operation('put', '/reactors/:id', 'reactor:update', updateReactor(d)),
    operation('patch', '/reactors/:id', 'reactor:update', patchReactor(d)),
    operation('delete', '/reactors/:id', 'reactor:delete', deleteReactor(d)),

    operation('get', '/applications/key', 'any-key', getOwnApplication(d)),
    {
      ...operation('post', '/applications', 'application:create', createApplication(d)),
      judges: ({ mayCreateExpiring }) => mayCreateExpiring,
    },
    operation('get', '/applications', 'application:read', listApplications(d)),
    operation('get', '/applications/:id', 'application:read', getApplication(d)),
    operation('put', '/applications/:id', 'application:update', updateApplication(d)),
    operation('delete', '/applications/:id', 'application:delete', deleteApplication(d)),
    operation('post', '/applications/:id/regenerate', 'application:update', regenerateKey(d), 'no body'),
    operation('post', '/applications/:id/keys', 'application:create', createKey(d), 'no body'),
    operation('get', '/applications/:id/keys', 'application:read', listKeys(d)),
    operation('get', '/applications/:id/keys/:keyId', 'application:read', getKey(d)),
    operation('delete', '/applications/:id/keys/:keyId', 'application:delete', deleteKey(d)),
  ];
}

/** What a tenant is, who belongs to it and what has happened in it. */
function ofTenants(d: OperationDependencies): readonly Operation[] {
  return [
    operation('get', '/tenants/self', 'tenant:read', getTenant(d)),
    operation('put', '/tenants/self', 'tenant:update', updateTenant(d)),
    operation('delete', '/tenants/self', 'tenant:delete', deleteTenant(d)),
    operation('get', '/tenants/self/reports/usage', 'report:read', getUsageReport(d)),
    operation('get', '/tenants/self/reports/operations', 'report:read', getOperationsReport(d)),
    operation('get', '/tenants/self/members', 'tenant:member:read', listMembers(d)),
    operation('put', '/tenants/self/members/:id', 'tenant:member:update', updateMember(d)),
    operation('delete', '/tenants/self/members/:id', 'tenant:member:delete', deleteMember(d)),
    operation('post', '/tenants/self/invitations', 'tenant:invitation:create', createInvitation(d)),
    operation('get', '/tenants/self/invitations', 'tenant:invitation:read', listInvitations(d)),
    operation('get', '/tenants/self/invitations/:id', 'tenant:invitation:read', getInvitation(d)),
    operation('delete', '/tenants/self/invitations/:id', 'tenant:invitation:delete', deleteInvitation(d)),
    operation(
      'post',
      '/tenants/self/invitations/:id/resend',
      ['tenant:invitation:create', 'tenant:invitation:update'],
      resendInvitation(d),
      'no body',
    ),

    operation('get', '/application-templates', 'any-key', listTemplates),
    operation('get', '/application-templates/:id', 'any-key', getTemplate),

    operation('get', '/webhooks/event-types', 'webhooks:read', listEventTypes),
    operation('post', '/webhooks', 'webhooks:create', createWebhook(d)),
    operation('get', '/webhooks', 'webhooks:read', listWebhooks(d)),
    operation('get', '/webhooks/:id', 'webhooks:read', getWebhook(d)),
    operation('put', '/webhooks/:id', 'webhooks:update', updateWebhook(d)),
    operation('delete', '/webhooks/:id', 'webhooks:delete', deleteWebhook(d)),
    operation('post', '/webhooks/:id/rotate-secret', 'webhooks:update', rotateSecret(d), 'no body'),

    operation('get', '/logs', 'log:read', listLogs(d)),
    operation('get', '/logs/entity-types', 'log:read', listEntityTypes),

    operation('get', '/permissions', 'any-key', listPermissions),
  ];
}

export function createApp(dependencies: AppDependencies): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // A trailing slash is the same path, without a redirect (contract/conventions.md#addresses).
  app.disable('strict routing');
  app.enable('case sensitive routing');

  app.use(observe(dependencies));
  app.use(secure);
  for (const [path, document] of publicDocuments()) app.all(path, serveDocument(path, document));
  mount(app, operations(dependencies), {
    readJson: jsonReader(dependencies.inputLimits),
    authenticate: (request) => authenticate(dependencies.postgres, request.headers),
    admit: (request, principal) => admit(dependencies.limits, request.headers, principal),
    perform: performer(dependencies.performOnce, (held) => operations({ ...dependencies, ...held })),
    aliases: dependencies.aliases,
  });
  app.use(notFound);
  app.use(answerErrors(dependencies.docsUrl));
  return app;
}
