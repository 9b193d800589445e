import { Glovebox } from '@glovebox/sdk/glovebox';
import { expect } from 'chai';

import { type TestServer, startServer } from './server.ts';

interface Row {
  readonly call: (client: Glovebox) => Promise<unknown>;
  /** Method, path and query. */
  readonly is: string;
  readonly sent?: unknown;
  /** 204 with no body, unless there is something. */
  readonly answers?: unknown;
  readonly gives?: unknown;
  readonly type?: string;
}

const pagination = { total_items: 1, page_number: 1, page_size: 20, total_pages: 1 };
const camelPagination = { totalItems: 1, pageNumber: 1, pageSize: 20, totalPages: 1 };

const model = {
  id: 'a_B',
  type: 'token' as const,
  data: { camelCase: 1, snake_case: [{ someKey: 2 }] },
  metadata: { userId: '5', user_id: '6' },
  mask: { cardNumber: '{{ data.camelCase }}' },
  fingerprintExpression: '{{ data }}',
  deduplicateToken: true,
  searchIndexes: ['{{ data.x }}'],
};
const wireModel = {
  id: 'a_B',
  type: 'token',
  data: { camelCase: 1, snake_case: [{ someKey: 2 }] },
  metadata: { userId: '5', user_id: '6' },
  mask: { card_number: '{{ data.camelCase }}' },
  fingerprint_expression: '{{ data }}',
  deduplicate_token: true,
  search_indexes: ['{{ data.x }}'],
};
const wireToken = {
  ...wireModel,
  tenant_id: 't',
  created_at: '2022-12-19T19:20:43.7334616+00:00',
  _extras: { deduplicated: true },
};
const token = {
  ...model,
  tenantId: 't',
  createdAt: '2022-12-19T19:20:43.7334616+00:00',
  extras: { deduplicated: true },
};
const ofToken = { answers: wireToken, gives: token };
const tokenPage = {
  answers: { pagination, data: [wireToken] },
  gives: { pagination: camelPagination, data: [token] },
};

const configured = {
  answers: {
    id: 'r',
    tenant_id: 't',
    configuration: { API_KEY: 'a', snake_case: 'b', camelCase: 'c' },
    application: { id: 'x', created_by: 'y' },
    formula: { request_parameters: [{ name: 'some_name' }], configuration: [{ some_key: 1 }] },
  },
  gives: {
    id: 'r',
    tenantId: 't',
    configuration: { API_KEY: 'a', snake_case: 'b', camelCase: 'c' },
    application: { id: 'x', createdBy: 'y' },
    formula: { requestParameters: [{ name: 'some_name' }], configuration: [{ someKey: 1 }] },
  },
};
const configuredPage = {
  answers: { pagination, data: [configured.answers] },
  gives: { pagination: camelPagination, data: [configured.gives] },
};
const plain = { answers: { some_key: [{ inner_key: 1 }] }, gives: { someKey: [{ innerKey: 1 }] } };
const plainPage = {
  answers: { pagination, data: [plain.answers] },
  gives: { pagination: camelPagination, data: [plain.gives] },
};
const plainArray = { answers: [plain.answers], gives: [plain.gives] };
const raw = { answers: { some_key: { someKey: 1 } }, gives: { some_key: { someKey: 1 } } };
const nothing = { gives: undefined };
const emptied = { gives: {} };

const rules = [{ priority: 1, container: '/pci/', transform: 'mask' as const, permissions: ['token:read'] }];
const proxyModel = {
  name: 'p',
  destinationUrl: 'https://example.com',
  requestTransform: { code: 'some_code' },
  responseTransform: null,
  configuration: { someKey: 'v' },
  application: { id: 'x' },
  requireAuth: false,
};
const wireProxy = {
  name: 'p',
  destination_url: 'https://example.com',
  request_transform: { code: 'some_code' },
  response_transform: null,
  configuration: { someKey: 'v' },
  application: { id: 'x' },
  require_auth: false,
};
const formula = {
  name: 'f',
  type: 'private' as const,
  code: 'module.exports = 1',
  configuration: [{ name: 'SOME_key', type: 'string' as const }],
  requestParameters: [{ name: 'card.someNumber', type: 'string' as const, optional: true }],
};
const wireFormula = {
  name: 'f',
  type: 'private',
  code: 'module.exports = 1',
  configuration: [{ name: 'SOME_key', type: 'string' }],
  request_parameters: [{ name: 'card.someNumber', type: 'string', optional: true }],
};
const reactor = {
  name: 'r',
  configuration: { someKey: 1, other_key: 'x' },
  formula: { id: 'f' },
  application: { id: 'x' },
};
const { formula: _, ...reactorUpdate } = reactor;
const merge = 'application/merge-patch+json';

/** Every row of the call table (api-facts section 8.3). */
const table: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  tokens: {
    create: { call: (c) => c.tokens.create(model), is: 'POST /tokens/', sent: wireModel, ...ofToken },
    retrieve: { call: (c) => c.tokens.retrieve('i/d @1'), is: 'GET /tokens/i%2Fd%20%401', ...ofToken },
    update: {
      call: (c) => c.tokens.update('i', { data: { aB: null }, searchIndexes: [] }),
      is: 'PATCH /tokens/i',
      sent: { data: { aB: null }, search_indexes: [] },
      type: merge,
      ...ofToken,
    },
    delete: { call: (c) => c.tokens.delete('i'), is: 'DELETE /tokens/i', ...nothing },
    list: {
      call: (c) =>
        c.tokens.list({ id: ['a', 'b'], type: 'card', metadata: { userId: '5&' }, page: 2, size: 5 }),
      is: 'GET /tokens/?id=a&id=b&type=card&metadata.userId=5%26&page=2&size=5',
      ...tokenPage,
    },
    'list of all': { call: (c) => c.tokens.list(), is: 'GET /tokens/', ...tokenPage },
    search: {
      call: (c) => c.tokens.search({ query: 'data:x', page: 1, size: 2 }),
      is: 'POST /tokens/search',
      sent: { query: 'data:x', page: 1, size: 2 },
      ...tokenPage,
    },
    createAssociation: {
      call: (c) => c.tokens.createAssociation('p', 'c'),
      is: 'POST /tokens/p/children/c',
      sent: {},
      ...nothing,
    },
    deleteAssociation: {
      call: (c) => c.tokens.deleteAssociation('p', 'c'),
      is: 'DELETE /tokens/p/children/c',
      ...nothing,
    },
    createChild: {
      call: (c) => c.tokens.createChild('p', model),
      is: 'POST /tokens/p/children',
      sent: wireModel,
      ...ofToken,
    },
    listChildren: {
      call: (c) => c.tokens.listChildren('p', { type: 'a' }),
      is: 'GET /tokens/p/children?type=a',
      ...tokenPage,
    },
  },
  tokenize: {
    'of an object': {
      call: (c) => c.tokenize({ type: 'token', data: 1, searchIndexes: [], search_indexes: [] }),
      is: 'POST /tokenize/',
      sent: { type: 'token', data: 1, searchIndexes: [], search_indexes: [] },
      ...raw,
    },
    'of text': { call: (c) => c.tokenize('abc'), is: 'POST /tokenize/', sent: 'abc', ...raw },
  },
  detokenize: {
    'of an object': {
      call: (c) => c.detokenize({ someKey: '{{ a }}' }),
      is: 'POST /detokenize',
      sent: { someKey: '{{ a }}' },
      ...raw,
    },
  },
  applications: {
    create: {
      call: (c) => c.applications.create({ name: 'n', type: 'private', rules, createKey: true }),
      is: 'POST /applications/',
      sent: { name: 'n', type: 'private', rules, create_key: true },
      ...plain,
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
      call: (c) => c.applications.update('a', { name: 'n', permissions: [] }),
      is: 'PUT /applications/a',
      sent: { name: 'n', permissions: [] },
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
  keys: {
    create: {
      call: (c) => c.keys.create({ encoding: 'PEM', expiresAt: '2090-01-01' }),
      is: 'POST /keys',
      sent: { encoding: 'PEM', expires_at: '2090-01-01' },
      ...plain,
    },
    list: { call: (c) => c.keys.list({ page: 2 }), is: 'GET /keys?page=2', ...plainPage },
    retrieve: { call: (c) => c.keys.retrieve('k'), is: 'GET /keys/k', ...plain },
    delete: { call: (c) => c.keys.delete('k'), is: 'DELETE /keys/k', ...nothing },
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
  proxy: {
    get: { call: (c) => c.proxy.get(), is: 'GET /proxy/', ...raw },
    delete: { call: (c) => c.proxy.delete(), is: 'DELETE /proxy/', ...raw },
    post: {
      call: (c) => c.proxy.post({ body: { someKey: 1 } }),
      is: 'POST /proxy',
      sent: { someKey: 1 },
      ...raw,
    },
    put: { call: (c) => c.proxy.put({ body: { a: 1 } }), is: 'PUT /proxy', sent: { a: 1 }, ...raw },
    patch: {
      call: (c) => c.proxy.patch({ body: { a: 1 } }),
      is: 'PATCH /proxy',
      sent: { a: 1 },
      type: 'application/json',
      ...raw,
    },
    'post without a body': { call: (c) => c.proxy.post(), is: 'POST /proxy', ...raw },
    'a path with a slash, a query as it is': {
      call: (c) => c.proxy.get({ path: '/a/b?c', query: { 'bt-proxy-key': 'k', aB: ['1', '2'] } }),
      is: 'GET /proxy/a/b%3Fc?bt-proxy-key=k&aB=1&aB=2',
      ...raw,
    },
    'a path without': { call: (c) => c.proxy.put({ path: 'a/b' }), is: 'PUT /proxy/a/b', ...raw },
    'post of text': {
      call: (c) => c.proxy.post({ body: 'a=1&b=2' }),
      is: 'POST /proxy',
      sent: 'a=1&b=2',
      type: 'application/x-www-form-urlencoded',
      ...raw,
    },
    'post of text of a type': {
      call: (c) => c.proxy.post({ body: '<a/>', headers: { 'content-type': 'text/xml' } }),
      is: 'POST /proxy',
      sent: '<a/>',
      type: 'text/xml',
      answers: 'no json',
      gives: 'no json',
    },
  },
  sessions: {
    create: { call: (c) => c.sessions.create(), is: 'POST /sessions/', ...plain },
    authorize: {
      call: (c) => c.sessions.authorize({ nonce: 'n', rules, expiresAt: 'e' }),
      is: 'POST /sessions/authorize',
      sent: { nonce: 'n', rules, expires_at: 'e' },
      ...nothing,
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

describe('the client makes the calls of the table', () => {
  let server: TestServer;
  let client: Glovebox;
  beforeEach(async () => {
    server = await startServer();
    client = await new Glovebox().init('key_1', { apiBaseUrl: server.url });
  });
  afterEach(() => server[Symbol.asyncDispose]());

  for (const [service, rows] of Object.entries(table)) {
    describe(service, () => {
      for (const [name, row] of Object.entries(rows)) {
        it(name, async () => {
          server.answer = () => (row.answers === undefined ? { status: 204 } : { body: row.answers });
          expect(await row.call(client)).to.deep.equal(row.gives);
          expect(server.received).to.have.length(1);
          const { method, url, headers, body } = server.received[0]!;
          expect(`${method} ${url}`).to.equal(row.is);
          expect(headers['svc-api-key']).to.equal('key_1');
          expect(headers.accept).to.equal('application/json, text/plain, */*');
          if (row.sent === undefined) {
            expect(body).to.equal('');
            expect(headers).not.to.have.property('content-type');
          } else {
            const type = row.type ?? 'application/json';
            expect(headers['content-type']).to.equal(type);
            expect(type.includes('json') ? JSON.parse(body) : body).to.deep.equal(row.sent);
          }
        });
      }
    });
  }

  it('with the response headers of a proxy when they are wanted', async () => {
    server.answer = () => ({ body: [1], headers: { 'X-One': 'a' } });
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const { data, headers } = await client.proxy[method]({ includeResponseHeaders: true });
      expect(data).to.deep.equal([1]);
      expect(headers).to.include({ 'x-one': 'a' });
    }
  });

  it('with the options of the one call', async () => {
    const options = { apiKey: 'key_2', correlationId: 'trace-1', idempotencyKey: 'once-1' };
    const expected = { 'svc-api-key': 'key_2', 'svc-trace-id': 'trace-1', 'svc-idempotency-key': 'once-1' };
    await client.tokens.create(model, options);
    await client.tokens.delete('a', options);
    await client.tokenize({}, options);
    await client.reactors.react('r', { args: {} }, options);
    await client.proxy.post({ body: {}, ...options });
    for (const { headers } of server.received) expect(headers).to.include(expected);
    await client.tokens.delete('a');
    expect(server.received.at(-1)!.headers).not.to.have.any.keys('svc-trace-id', 'svc-idempotency-key');
    expect(server.received.at(-1)!.headers['svc-api-key']).to.equal('key_1');
  });

  it('and says what it is', async () => {
    const appInfo = { name: 'Shöp', version: '1.2', url: 'https://shop.example' };
    const named = await new Glovebox().init('key_1', { apiBaseUrl: server.url, appInfo });
    await named.tenants.retrieve();
    const { headers } = server.received[0]!;
    expect(headers['user-agent']).to.equal('GloveboxJS/0.1.0 (Sh?p; 1.2; https://shop.example)');
    expect(JSON.parse(String(headers['svc-client-user-agent']))).to.deep.equal({
      client: 'glovebox-js',
      client_version: '0.1.0',
      os_version: process.platform,
      runtime_version: process.version,
      application: { ...appInfo, name: 'Sh?p' },
    });
  });
});
