import {
  type Table,
  configured,
  configuredPage,
  plain,
  plainPage,
  plainArray,
  raw,
  nothing,
  emptied,
  rules,
  proxyModel,
  wireProxy,
  formula,
  wireFormula,
  reactor,
  reactorUpdate,
  merge,
} from './call-values.ts';

/** The rows of the call table that are about resources (contract/clients.md#call-table). */
export const managementCalls: Table = {
  applications: {
    create: {
      call: (c) => c.applications.create({ name: 'n', type: 'private', rules, createKey: true }),
      is: 'POST /applications/',
      sent: { name: 'n', type: 'private', rules, create_key: true },
      ...plain,
    },
    'create an expiring one': {
      call: (c) => c.applications.create({ name: 'n', type: 'expiring', rules, expiresAt: 'd' }),
      is: 'POST /applications/',
      sent: { name: 'n', type: 'expiring', rules, expires_at: 'd' },
      answers: { expires_at: 'd' },
      gives: { expiresAt: 'd' },
    },
    list: {
      call: (c) => c.applications.list({ id: 'a', page: 1, size: 3 }),
      is: 'GET /applications/?id=a&page=1&size=3',
      ...plainPage,
    },
    retrieve: { call: (c) => c.applications.retrieve('a'), is: 'GET /applications/a', ...plain },
    retrieveByKey: { call: (c) => c.applications.retrieveByKey(), is: 'GET /applications/key', ...plain },
    getApplicationByKey: {
      call: (c) => c.applications.getApplicationByKey(),
      is: 'GET /applications/key',
      ...plain,
    },
    update: {
      call: (c) => c.applications.update('a', { name: 'n', canCreateExpiringApplications: true }),
      is: 'PUT /applications/a',
      sent: { name: 'n', can_create_expiring_applications: true },
      ...plain,
    },
    regenerateKey: {
      call: (c) => c.applications.regenerateKey('a'),
      is: 'POST /applications/a/regenerate',
      ...plain,
    },
    delete: { call: (c) => c.applications.delete('a'), is: 'DELETE /applications/a', ...nothing },
  },
  applicationKeys: {
    create: { call: (c) => c.applicationKeys.create('a'), is: 'POST /applications/a/keys', ...plain },
    get: { call: (c) => c.applicationKeys.get('a'), is: 'GET /applications/a/keys', ...plainArray },
    getById: { call: (c) => c.applicationKeys.getById('a', 'k'), is: 'GET /applications/a/keys/k', ...plain },
    delete: {
      call: (c) => c.applicationKeys.delete('a', 'k'),
      is: 'DELETE /applications/a/keys/k',
      ...nothing,
    },
  },
  applicationTemplates: {
    list: { call: (c) => c.applicationTemplates.list(), is: 'GET /application-templates/', ...plainArray },
    retrieve: {
      call: (c) => c.applicationTemplates.retrieve('a'),
      is: 'GET /application-templates/a',
      ...plain,
    },
  },
  webhooks: {
    create: {
      call: (c) => c.webhooks.create({ name: 'n', url: 'u', events: ['token.created'], notifyEmail: 'a@b' }),
      is: 'POST /webhooks/',
      sent: { name: 'n', url: 'u', events: ['token.created'], notify_email: 'a@b' },
      ...plain,
    },
    list: {
      call: (c) => c.webhooks.list({ start: 's', size: 2 }),
      is: 'GET /webhooks/?start=s&size=2',
      ...plainPage,
    },
    retrieve: { call: (c) => c.webhooks.retrieve('w'), is: 'GET /webhooks/w', ...plain },
    update: {
      call: (c) => c.webhooks.update('w', { name: 'n', url: 'u', events: [], status: 'disabled' }),
      is: 'PUT /webhooks/w',
      sent: { name: 'n', url: 'u', events: [], status: 'disabled' },
      ...plain,
    },
    rotateSecret: {
      call: (c) => c.webhooks.rotateSecret('w'),
      is: 'POST /webhooks/w/rotate-secret',
      ...plain,
    },
    listEventTypes: {
      call: (c) => c.webhooks.listEventTypes(),
      is: 'GET /webhooks/event-types',
      ...plainArray,
    },
    delete: { call: (c) => c.webhooks.delete('w'), is: 'DELETE /webhooks/w', ...nothing },
  },
  permissions: {
    list: {
      call: (c) => c.permissions.list({ applicationType: 'private' }),
      is: 'GET /permissions/?application_type=private',
      ...plainArray,
    },
    'list of all': { call: (c) => c.permissions.list(), is: 'GET /permissions/', ...plainArray },
  },
  invocations: {
    list: {
      call: (c) => c.invocations.list({ outcome: ['failed', 'refused'], startedAfter: new Date(0), size: 2 }),
      is: 'GET /invocations?outcome=failed&outcome=refused&started_after=1970-01-01T00%3A00%3A00.000Z&size=2',
      ...plainPage,
    },
    retrieve: { call: (c) => c.invocations.retrieve('i'), is: 'GET /invocations/i', ...plain },
  },
  logs: {
    list: {
      call: (c) =>
        c.logs.list({
          entityType: 'token',
          entityId: 'a b',
          startDate: new Date(0),
          endDate: '2030-01-01',
          page: 1,
          size: 2,
          start: 's',
        }),
      is: 'GET /logs/?entity_type=token&entity_id=a%20b&start_date=1970-01-01T00%3A00%3A00.000Z&end_date=2030-01-01&page=1&size=2&start=s',
      ...plainPage,
    },
  },
  reactorFormulas: {
    create: {
      call: (c) => c.reactorFormulas.create(formula),
      is: 'POST /reactor-formulas/',
      sent: wireFormula,
      ...plain,
    },
    list: {
      call: (c) => c.reactorFormulas.list({ name: 'x*' }),
      is: 'GET /reactor-formulas/?name=x*',
      ...plainPage,
    },
    retrieve: { call: (c) => c.reactorFormulas.retrieve('f'), is: 'GET /reactor-formulas/f', ...plain },
    update: {
      call: (c) => c.reactorFormulas.update('f', formula),
      is: 'PUT /reactor-formulas/f',
      sent: wireFormula,
      ...plain,
    },
    delete: { call: (c) => c.reactorFormulas.delete('f'), is: 'DELETE /reactor-formulas/f', ...nothing },
  },
  reactors: {
    create: { call: (c) => c.reactors.create(reactor), is: 'POST /reactors/', sent: reactor, ...configured },
    list: {
      call: (c) => c.reactors.list({ id: 'a', name: 'x*' }),
      is: 'GET /reactors/?id=a&name=x*',
      ...configuredPage,
    },
    retrieve: { call: (c) => c.reactors.retrieve('r'), is: 'GET /reactors/r', ...configured },
    update: {
      call: (c) => c.reactors.update('r', reactorUpdate),
      is: 'PUT /reactors/r',
      sent: reactorUpdate,
      ...configured,
    },
    delete: { call: (c) => c.reactors.delete('r'), is: 'DELETE /reactors/r', ...nothing },
    patch: {
      call: (c) => c.reactors.patch('r', { configuration: { aB: 'c' } }),
      is: 'PATCH /reactors/r',
      sent: { configuration: { aB: 'c' } },
      type: merge,
      ...emptied,
    },
    react: {
      call: (c) => c.reactors.react('r', { args: { someKey: '{{x}}' }, callbackUrl: 'u', timeoutMs: 1 }),
      is: 'POST /reactors/r/react',
      sent: { args: { someKey: '{{x}}' }, callbackUrl: 'u', timeoutMs: 1 },
      ...raw,
    },
  },
  proxies: {
    create: {
      call: (c) => c.proxies.create(proxyModel),
      is: 'POST /proxies/',
      sent: wireProxy,
      ...configured,
    },
    list: {
      call: (c) => c.proxies.list({ id: ['a'], name: 'x', page: 1, size: 1 }),
      is: 'GET /proxies/?id=a&name=x&page=1&size=1',
      ...configuredPage,
    },
    retrieve: { call: (c) => c.proxies.retrieve('p'), is: 'GET /proxies/p', ...configured },
    update: {
      call: (c) => c.proxies.update('p', proxyModel),
      is: 'PUT /proxies/p',
      sent: wireProxy,
      ...configured,
    },
    delete: { call: (c) => c.proxies.delete('p'), is: 'DELETE /proxies/p', ...nothing },
    patch: {
      call: (c) => c.proxies.patch('p', { requireAuth: true }),
      is: 'PATCH /proxies/p',
      sent: { require_auth: true },
      type: merge,
      ...emptied,
    },
  },
  tenants: {
    retrieve: {
      call: (c) => c.tenants.retrieve(),
      is: 'GET /tenants/self/',
      answers: { settings: { deduplicate_tokens: 'true' } },
      gives: { settings: { deduplicateTokens: 'true' } },
    },
    update: {
      call: (c) => c.tenants.update({ name: 'n', settings: { deduplicateTokens: 'true' } }),
      is: 'PUT /tenants/self/',
      sent: { name: 'n', settings: { deduplicate_tokens: 'true' } },
      ...plain,
    },
    delete: { call: (c) => c.tenants.delete(), is: 'DELETE /tenants/self/', ...nothing },
    retrieveUsageReport: {
      call: (c) => c.tenants.retrieveUsageReport(),
      is: 'GET /tenants/self/reports/usage',
      answers: { token_report: { metrics_by_type: { card_number: { last_created_at: 'd' } } } },
      gives: { tokenReport: { metricsByType: { cardNumber: { lastCreatedAt: 'd' } } } },
    },
    retrieveEncryptionKeysReport: {
      call: (c) => c.tenants.retrieveEncryptionKeysReport(),
      is: 'GET /tenants/self/reports/encryption-keys',
      answers: { data_keys: [{ created_at: 'x' }], most_seals: 1 },
      gives: { dataKeys: [{ createdAt: 'x' }], mostSeals: 1 },
    },
    retrieveTrafficReport: {
      call: (c) => c.tenants.retrieveTrafficReport({ period: 'week' }),
      is: 'GET /tenants/self/reports/traffic?period=week',
      answers: { step_seconds: 3600, points: [{ p99_ms: 1 }] },
      gives: { stepSeconds: 3600, points: [{ p99Ms: 1 }] },
    },
    retrieveOperationsReport: {
      call: (c) => c.tenants.retrieveOperationsReport(),
      is: 'GET /tenants/self/reports/operations',
      answers: { months: [{ total_operations: 1, operations: [{ entity_type: 'token_x', count: 1 }] }] },
      gives: { months: [{ totalOperations: 1, operations: [{ entityType: 'token_x', count: 1 }] }] },
    },
    createInvitation: {
      call: (c) => c.tenants.createInvitation({ email: 'e' }),
      is: 'POST /tenants/self/invitations',
      sent: { email: 'e' },
      ...plain,
    },
    resendInvitation: {
      call: (c) => c.tenants.resendInvitation('i'),
      is: 'POST /tenants/self/invitations/i/resend',
      sent: {},
      ...plain,
    },
    listInvitations: {
      call: (c) => c.tenants.listInvitations({ status: 'PENDING', page: 1, size: 2 }),
      is: 'GET /tenants/self/invitations?status=PENDING&page=1&size=2',
      ...plainPage,
    },
    retrieveInvitation: {
      call: (c) => c.tenants.retrieveInvitation('i'),
      is: 'GET /tenants/self/invitations/i',
      ...plain,
    },
    deleteInvitation: {
      call: (c) => c.tenants.deleteInvitation('i'),
      is: 'DELETE /tenants/self/invitations/i',
      ...nothing,
    },
    listMembers: {
      call: (c) => c.tenants.listMembers({ userId: ['a', 'b'] }),
      is: 'GET /tenants/self/members?user_id=a&user_id=b',
      ...plainPage,
    },
    deleteMember: {
      call: (c) => c.tenants.deleteMember('m'),
      is: 'DELETE /tenants/self/members/m',
      ...nothing,
    },
  },
};
