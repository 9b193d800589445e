import type { Permission } from '@glovebox/access/permission';

import { formulaVersions } from '../formulas/versions.ts';
import { createApplication } from '../operations/applications/create-application.ts';
import { createKey } from '../operations/applications/create-key.ts';
import { deleteApplication } from '../operations/applications/delete-application.ts';
import { deleteKey } from '../operations/applications/delete-key.ts';
import { getApplication } from '../operations/applications/get-application.ts';
import { getKey } from '../operations/applications/get-key.ts';
import { getOwnApplication } from '../operations/applications/get-own-application.ts';
import { listApplications } from '../operations/applications/list-applications.ts';
import { listKeys } from '../operations/applications/list-keys.ts';
import { regenerateKey } from '../operations/applications/regenerate-key.ts';
import { simulateAccess } from '../operations/applications/simulate-access.ts';
import { updateApplication } from '../operations/applications/update-application.ts';
import { createFormulaDraft } from '../operations/formulas/create-formula-draft.ts';
import { createFormula } from '../operations/formulas/create-formula.ts';
import { deleteFormula } from '../operations/formulas/delete-formula.ts';
import { getFormula } from '../operations/formulas/get-formula.ts';
import { listFormulas } from '../operations/formulas/list-formulas.ts';
import { restoreFormula } from '../operations/formulas/restore-formula.ts';
import { updateFormula } from '../operations/formulas/update-formula.ts';
import { createInvitation } from '../operations/invitations/create-invitation.ts';
import { deleteInvitation } from '../operations/invitations/delete-invitation.ts';
import { getInvitation } from '../operations/invitations/get-invitation.ts';
import { listInvitations } from '../operations/invitations/list-invitations.ts';
import { resendInvitation } from '../operations/invitations/resend-invitation.ts';
import { followInvocations } from '../operations/invocations/follow-invocations.ts';
import { getInvocationFigures } from '../operations/invocations/get-invocation-figures.ts';
import { getInvocation } from '../operations/invocations/get-invocation.ts';
import { listAsyncInvocations } from '../operations/invocations/list-async-invocations.ts';
import { listInvocations } from '../operations/invocations/list-invocations.ts';
import { exportLogs } from '../operations/logs/export-logs.ts';
import { listEntityTypes } from '../operations/logs/list-entity-types.ts';
import { listLogs } from '../operations/logs/list-logs.ts';
import { listRoles } from '../operations/people/list-roles.ts';
import { listPermissions } from '../operations/permissions/list-permissions.ts';
import { createProxyDraft } from '../operations/proxies/create-proxy-draft.ts';
import { createProxy } from '../operations/proxies/create-proxy.ts';
import { deleteProxy } from '../operations/proxies/delete-proxy.ts';
import { getProxy } from '../operations/proxies/get-proxy.ts';
import { listProxies } from '../operations/proxies/list-proxies.ts';
import { patchProxy } from '../operations/proxies/patch-proxy.ts';
import { prepareRestore, requireUsableProxy, restoreProxy } from '../operations/proxies/restore-proxy.ts';
import { updateProxy } from '../operations/proxies/update-proxy.ts';
import { createReactorDraft } from '../operations/reactors/create-reactor-draft.ts';
import { createReactor } from '../operations/reactors/create-reactor.ts';
import { deleteReactor } from '../operations/reactors/delete-reactor.ts';
import { getReactor } from '../operations/reactors/get-reactor.ts';
import { listReactors } from '../operations/reactors/list-reactors.ts';
import { patchReactor } from '../operations/reactors/patch-reactor.ts';
import {
  prepareReactorRestore,
  requireUsableReactor,
  restoreReactor,
} from '../operations/reactors/restore-reactor.ts';
import { updateReactor } from '../operations/reactors/update-reactor.ts';
import { completeRollout } from '../operations/rollouts/complete-rollout.ts';
import { deleteRollout } from '../operations/rollouts/delete-rollout.ts';
import { getRollout } from '../operations/rollouts/get-rollout.ts';
import { putRollout } from '../operations/rollouts/put-rollout.ts';
import { getTemplate } from '../operations/templates/get-template.ts';
import { listTemplates } from '../operations/templates/list-templates.ts';
import { deleteMember } from '../operations/tenants/delete-member.ts';
import { deleteTenant } from '../operations/tenants/delete-tenant.ts';
import { getEgressPolicy } from '../operations/tenants/get-egress-policy.ts';
import { getTenant } from '../operations/tenants/get-tenant.ts';
import { listMembers } from '../operations/tenants/list-members.ts';
import { updateEgressPolicy } from '../operations/tenants/update-egress-policy.ts';
import { updateMember } from '../operations/tenants/update-member.ts';
import { updateTenant } from '../operations/tenants/update-tenant.ts';
import { tryFormulaCode, tryProxyCode } from '../operations/trials/try-code.ts';
import { getEncryptionKeys } from '../operations/usage/get-encryption-keys.ts';
import { getOperationsReport } from '../operations/usage/get-operations-report.ts';
import { getTrafficReport } from '../operations/usage/get-traffic-report.ts';
import { getUsageReport } from '../operations/usage/get-usage-report.ts';
import { getVersion } from '../operations/versions/get-version.ts';
import { listVersions } from '../operations/versions/list-versions.ts';
import { createWebhook } from '../operations/webhooks/create-webhook.ts';
import { deleteWebhook } from '../operations/webhooks/delete-webhook.ts';
import { getWebhook } from '../operations/webhooks/get-webhook.ts';
import { listDeliveries } from '../operations/webhooks/list-deliveries.ts';
import { listEventTypes } from '../operations/webhooks/list-event-types.ts';
import { listWebhooks } from '../operations/webhooks/list-webhooks.ts';
import { resendDelivery } from '../operations/webhooks/resend-delivery.ts';
import { rotateSecret } from '../operations/webhooks/rotate-secret.ts';
import { testWebhook } from '../operations/webhooks/test-webhook.ts';
import { updateWebhook } from '../operations/webhooks/update-webhook.ts';
import { proxyRollouts } from '../proxies/rollouts.ts';
import { proxyVersions } from '../proxies/versions.ts';
import { reactorRollouts } from '../reactors/rollouts.ts';
import { reactorVersions } from '../reactors/versions.ts';
import type { BodyKind, Route } from './route.ts';

/** Every route, and what it requires of the caller. */
export const routes: readonly Route[] = [
  versioned(route('post', '/proxies', 'proxy:create', createProxy)),
  trial(route('post', '/proxies/try', 'proxy:create', tryProxyCode), 'proxy:update'),
  route('get', '/proxies', 'proxy:read', listProxies),
  route('get', '/proxies/:id', 'proxy:read', getProxy),
  versioned(route('put', '/proxies/:id', 'proxy:update', updateProxy)),
  versioned(route('patch', '/proxies/:id', 'proxy:update', patchProxy)),
  versioned(route('delete', '/proxies/:id', 'proxy:delete', deleteProxy)),
  versioned(route('post', '/proxies/:id/versions', 'proxy:update', createProxyDraft, 'json or merge-patch')),
  route('get', '/proxies/:id/versions', 'proxy:read', listVersions(proxyVersions)),
  route('get', '/proxies/:id/versions/:version', 'proxy:read', getVersion(proxyVersions)),
  versioned(route('post', '/proxies/:id/versions/:version/restore', 'proxy:update', restoreProxy, 'no body')),
  route('get', '/proxies/:id/rollout', 'proxy:read', getRollout(proxyRollouts)),
  route(
    'put',
    '/proxies/:id/rollout',
    'proxy:update',
    putRollout({ rollouts: proxyRollouts, versions: proxyVersions, requireUsable: requireUsableProxy }),
  ),
  route('delete', '/proxies/:id/rollout', 'proxy:update', deleteRollout(proxyRollouts)),
  versioned(
    route(
      'post',
      '/proxies/:id/rollout/complete',
      'proxy:update',
      completeRollout({ rollouts: proxyRollouts, prepareRestore }),
      'no body',
    ),
  ),

  versioned(route('post', '/reactor-formulas', 'reactor:create', createFormula)),
  trial(route('post', '/reactor-formulas/try', 'reactor:create', tryFormulaCode), 'reactor:update'),
  route('get', '/reactor-formulas', 'reactor:read', listFormulas),
  route('get', '/reactor-formulas/:id', 'reactor:read', getFormula),
  versioned(route('put', '/reactor-formulas/:id', 'reactor:update', updateFormula)),
  versioned(route('delete', '/reactor-formulas/:id', 'reactor:delete', deleteFormula)),
  versioned(route('post', '/reactor-formulas/:id/versions', 'reactor:update', createFormulaDraft)),
  route('get', '/reactor-formulas/:id/versions', 'reactor:read', listVersions(formulaVersions)),
  route('get', '/reactor-formulas/:id/versions/:version', 'reactor:read', getVersion(formulaVersions)),
  versioned(
    route(
      'post',
      '/reactor-formulas/:id/versions/:version/restore',
      'reactor:update',
      restoreFormula,
      'no body',
    ),
  ),

  versioned(route('post', '/reactors', 'reactor:create', createReactor)),
  route('get', '/reactors', 'reactor:read', listReactors),
  route('get', '/reactors/:id', 'reactor:read', getReactor),
  versioned(route('put', '/reactors/:id', 'reactor:update', updateReactor)),
  versioned(route('patch', '/reactors/:id', 'reactor:update', patchReactor)),
  versioned(route('delete', '/reactors/:id', 'reactor:delete', deleteReactor)),
  versioned(
    route('post', '/reactors/:id/versions', 'reactor:update', createReactorDraft, 'json or merge-patch'),
  ),
  route('get', '/reactors/:id/rollout', 'reactor:read', getRollout(reactorRollouts)),
  route(
    'put',
    '/reactors/:id/rollout',
    'reactor:update',
    putRollout({ rollouts: reactorRollouts, versions: reactorVersions, requireUsable: requireUsableReactor }),
  ),
  route('delete', '/reactors/:id/rollout', 'reactor:update', deleteRollout(reactorRollouts)),
  versioned(
    route(
      'post',
      '/reactors/:id/rollout/complete',
      'reactor:update',
      completeRollout({ rollouts: reactorRollouts, prepareRestore: prepareReactorRestore }),
      'no body',
    ),
  ),
  route('get', '/reactors/:id/versions', 'reactor:read', listVersions(reactorVersions)),
  route('get', '/reactors/:id/versions/:version', 'reactor:read', getVersion(reactorVersions)),
  versioned(
    route('post', '/reactors/:id/versions/:version/restore', 'reactor:update', restoreReactor, 'no body'),
  ),

  route('get', '/applications/key', 'any-key', getOwnApplication),
  {
    ...route('post', '/applications', 'application:create', createApplication),
    operationAuthorizes: ({ mayCreateExpiring }) => mayCreateExpiring,
  },
  route('get', '/applications', 'application:read', listApplications),
  route('get', '/applications/:id', 'application:read', getApplication),
  route('get', '/applications/:id/simulate-access', 'application:read', simulateAccess),
  route('put', '/applications/:id', 'application:update', updateApplication),
  route('delete', '/applications/:id', 'application:delete', deleteApplication),
  route('post', '/applications/:id/regenerate', 'application:update', regenerateKey, 'no body'),
  route('post', '/applications/:id/keys', 'application:create', createKey, 'no body'),
  route('get', '/applications/:id/keys', 'application:read', listKeys),
  route('get', '/applications/:id/keys/:keyId', 'application:read', getKey),
  route('delete', '/applications/:id/keys/:keyId', 'application:delete', deleteKey),

  route('get', '/tenants/self', 'tenant:read', getTenant),
  route('put', '/tenants/self', 'tenant:update', updateTenant),
  route('delete', '/tenants/self', 'tenant:delete', deleteTenant),
  route('get', '/tenants/self/egress-policy', 'tenant:read', getEgressPolicy),
  route('put', '/tenants/self/egress-policy', 'tenant:update', updateEgressPolicy),
  route('get', '/tenants/self/reports/usage', 'report:read', getUsageReport),
  route('get', '/tenants/self/reports/operations', 'report:read', getOperationsReport),
  route('get', '/tenants/self/reports/encryption-keys', 'report:read', getEncryptionKeys),
  route('get', '/tenants/self/reports/traffic', 'report:read', getTrafficReport),
  route('get', '/tenants/self/members', 'tenant:member:read', listMembers),
  route('put', '/tenants/self/members/:id', 'tenant:member:update', updateMember),
  route('delete', '/tenants/self/members/:id', 'tenant:member:delete', deleteMember),
  route('post', '/tenants/self/invitations', 'tenant:invitation:create', createInvitation),
  route('get', '/tenants/self/invitations', 'tenant:invitation:read', listInvitations),
  route('get', '/tenants/self/invitations/:id', 'tenant:invitation:read', getInvitation),
  route('delete', '/tenants/self/invitations/:id', 'tenant:invitation:delete', deleteInvitation),
  route(
    'post',
    '/tenants/self/invitations/:id/resend',
    ['tenant:invitation:create', 'tenant:invitation:update'],
    resendInvitation,
    'no body',
  ),

  route('get', '/application-templates', 'any-key', listTemplates),
  route('get', '/application-templates/:id', 'any-key', getTemplate),

  route('get', '/webhooks/event-types', 'webhooks:read', listEventTypes),
  route('post', '/webhooks', 'webhooks:create', createWebhook),
  route('get', '/webhooks', 'webhooks:read', listWebhooks),
  route('get', '/webhooks/:id', 'webhooks:read', getWebhook),
  route('put', '/webhooks/:id', 'webhooks:update', updateWebhook),
  route('delete', '/webhooks/:id', 'webhooks:delete', deleteWebhook),
  route('post', '/webhooks/:id/rotate-secret', 'webhooks:update', rotateSecret, 'no body'),
  route('post', '/webhooks/:id/test', 'webhooks:update', testWebhook, 'no body'),
  route('get', '/webhooks/:id/deliveries', 'webhooks:read', listDeliveries),
  route('post', '/webhooks/:id/deliveries/:deliveryId/resend', 'webhooks:update', resendDelivery, 'no body'),

  route('get', '/logs', 'log:read', listLogs),
  route('get', '/logs/entity-types', 'log:read', listEntityTypes),
  route('get', '/logs/export', 'log:read', exportLogs),

  ofBoth(route('get', '/invocations', 'proxy:read', listInvocations)),
  ofBoth(route('get', '/invocations/stream', 'proxy:read', followInvocations)),
  ofBoth(route('get', '/invocations/figures', 'proxy:read', getInvocationFigures)),
  route('get', '/invocations/asynchronous', 'reactor:read', listAsyncInvocations),
  ofBoth(route('get', '/invocations/:id', 'proxy:read', getInvocation)),

  route('get', '/permissions', 'any-key', listPermissions),
  route('get', '/roles', 'any-key', listRoles),
];

function route(
  method: Route['method'],
  path: string,
  permission: Route['permission'],
  operation: Route['operation'],
  body: BodyKind = method === 'patch'
    ? 'merge-patch'
    : method === 'post' || method === 'put'
      ? 'json'
      : 'no body',
): Route {
  return { method, path, permission, operation, body };
}

/** A write to something that has versions. */
function versioned(write: Route): Route {
  return { ...write, versioned: true };
}

/** Of proxies and reactors: the operation shows those that the caller may read. */
function ofBoth(shown: Route): Route {
  return { ...shown, orPermission: 'reactor:read' };
}

/** Of code that is not stored, for those who may store it. */
function trial(tried: Route, orPermission: Permission): Route {
  return { ...tried, orPermission, storesNothing: true };
}
