import express, { type Express } from 'express';

import { createApplication } from './applications/create-application.ts';
import { createKey } from './applications/create-key.ts';
import { deleteApplication } from './applications/delete-application.ts';
import { deleteKey } from './applications/delete-key.ts';
import type { ApplicationDependencies } from './applications/dependencies.ts';
import { getApplication } from './applications/get-application.ts';
import { getKey } from './applications/get-key.ts';
import { getOwnApplication } from './applications/get-own-application.ts';
import { listApplications } from './applications/list-applications.ts';
import { listKeys } from './applications/list-keys.ts';
import { regenerateKey } from './applications/regenerate-key.ts';
import { updateApplication } from './applications/update-application.ts';
import { publicDocuments } from './documentation/documents.ts';
import { serveDocument } from './documentation/serve-document.ts';
import { createFormula } from './formulas/create-formula.ts';
import { deleteFormula } from './formulas/delete-formula.ts';
import { getFormula } from './formulas/get-formula.ts';
import { listFormulas } from './formulas/list-formulas.ts';
import { updateFormula } from './formulas/update-formula.ts';
import { type ManagementLimits, admit } from './http/admit.ts';
import { authenticate } from './http/authenticate.ts';
import { answerErrors, notFound } from './http/errors.ts';
import type { PerformOnce } from './http/idempotency.ts';
import { mount } from './http/mount.ts';
import { type ObserveOptions, observe } from './http/observe.ts';
import { type Operation, operation } from './http/operation.ts';
import { performer } from './http/perform.ts';
import { jsonReader } from './http/read-json.ts';
import { secure } from './http/secure.ts';
import { createInvitation } from './invitations/create-invitation.ts';
import { deleteInvitation } from './invitations/delete-invitation.ts';
import { getInvitation } from './invitations/get-invitation.ts';
import { listInvitations } from './invitations/list-invitations.ts';
import { resendInvitation } from './invitations/resend-invitation.ts';
import { listEntityTypes } from './logs/list-entity-types.ts';
import { type LogDependencies, listLogs } from './logs/list-logs.ts';
import { listPermissions } from './permissions/list-permissions.ts';
import { createProxy } from './proxies/create-proxy.ts';
import { deleteProxy } from './proxies/delete-proxy.ts';
import type { ProxyDependencies } from './proxies/dependencies.ts';
import { getProxy } from './proxies/get-proxy.ts';
import { listProxies } from './proxies/list-proxies.ts';
import { patchProxy } from './proxies/patch-proxy.ts';
import { updateProxy } from './proxies/update-proxy.ts';
import { createReactor } from './reactors/create-reactor.ts';
import { deleteReactor } from './reactors/delete-reactor.ts';
import { getReactor } from './reactors/get-reactor.ts';
import { listReactors } from './reactors/list-reactors.ts';
import { patchReactor } from './reactors/patch-reactor.ts';
import { updateReactor } from './reactors/update-reactor.ts';
import { getTemplate } from './templates/get-template.ts';
import { listTemplates } from './templates/list-templates.ts';
import { deleteMember } from './tenants/delete-member.ts';
import { deleteTenant } from './tenants/delete-tenant.ts';
import { getTenant } from './tenants/get-tenant.ts';
import { listMembers } from './tenants/list-members.ts';
import { updateMember } from './tenants/update-member.ts';
import { updateTenant } from './tenants/update-tenant.ts';
import { getOperationsReport } from './usage/get-operations-report.ts';
import { type UsageDependencies, getUsageReport } from './usage/get-usage-report.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listEventTypes } from './webhooks/list-event-types.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { rotateSecret } from './webhooks/rotate-secret.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

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
  // A trailing slash is the same path, without a redirect (api-facts 1.1).
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
