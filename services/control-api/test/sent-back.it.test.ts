import { expect } from 'chai';

import { type TestApi, startTestApi } from './harness/api.ts';

type Members = Readonly<Record<string, unknown>>;

interface Shape {
  readonly what: string;
  readonly path: string;
  readonly body: (ids: Ids) => Members;
  /** What a typed client writes for each member that an answer may leave out. */
  readonly empty: Members;
}

interface Ids {
  readonly formula: string;
  readonly bareFormula: string;
  readonly application: string;
}

const code = 'module.exports = async (req) => ({ raw: req.args })';
const proxy = { name: 'ledger', destination_url: 'https://ledger.example.com/api' };
const emptyProxy = {
  request_transform: {},
  response_transform: {},
  configuration: {},
  application_id: '',
  request_reactor_id: '',
  response_reactor_id: '',
  disable_detokenization: false,
};
const emptyFormula = { description: '', icon: '', configuration: [], request_parameters: [] };
const emptyApplication = { permissions: [], rules: [], expires_at: '' };
const declared = [{ name: 'API_KEY', type: 'string', description: '' }];
const rule = {
  priority: 1,
  container: '/pci/',
  conditions: [],
  transform: 'mask',
  permissions: ['token:read'],
};

const shapes: readonly Shape[] = [
  { what: 'a proxy of a name and a destination', path: '/proxies', body: () => proxy, empty: emptyProxy },
  {
    what: 'a proxy with all there is',
    path: '/proxies',
    body: ({ application }) => ({
      ...proxy,
      request_transform: { type: 'code', code },
      response_transform: { code },
      configuration: { API_KEY: 'sk' },
      application: { id: application },
      require_auth: false,
      disable_detokenization: true,
      timeout: 20,
      response_guard: 'mask',
    }),
    empty: {},
  },
  {
    what: 'a proxy with lists of transforms',
    path: '/proxies',
    body: () => ({
      ...proxy,
      request_transforms: [{ code }],
      response_transforms: [{ type: 'append_text', options: { value: 'x' } }],
    }),
    empty: { request_transform: {}, response_transform: {} },
  },
  {
    what: 'a formula of a name and code',
    path: '/reactor-formulas',
    body: () => ({ type: 'private', name: 'charge', code }),
    empty: emptyFormula,
  },
  {
    what: 'a formula with all there is',
    path: '/reactor-formulas',
    body: () => ({
      type: 'private',
      status: 'verified',
      name: 'charge',
      code,
      description: 'charges',
      icon: 'data:image/png;base64,iVBORw0KGgo=',
      configuration: declared,
      request_parameters: [{ name: 'card.number', type: 'string', description: '', optional: true }],
    }),
    empty: {},
  },
  {
    what: 'a reactor of a formula that declares nothing',
    path: '/reactors',
    body: ({ bareFormula }) => ({ name: 'eu', formula: { id: bareFormula } }),
    empty: { configuration: {}, code: null },
  },
  {
    what: 'a reactor with all there is',
    path: '/reactors',
    body: ({ formula, application }) => ({
      name: 'eu',
      formula: { id: formula },
      application: { id: application },
      configuration: { API_KEY: 'sk', OTHER: 1 },
      response_guard: 'refuse',
    }),
    empty: {},
  },
  {
    what: 'a reactor with code of its own',
    path: '/reactors',
    body: () => ({ name: 'eu', code }),
    empty: { configuration: {}, formula: null },
  },
  {
    what: 'an application with permissions',
    path: '/applications',
    body: () => ({ name: 'shop', type: 'private', permissions: ['token:create'] }),
    empty: { rules: [], expires_at: '' },
  },
  {
    what: 'an application with rules',
    path: '/applications',
    body: () => ({
      name: 'shop',
      type: 'private',
      rules: [
        { ...rule, description: '' },
        { ...rule, priority: 2 },
      ],
    }),
    empty: { permissions: [], expires_at: '' },
  },
  {
    what: 'a management application',
    path: '/applications',
    body: () => ({ name: 'shop', type: 'management', permissions: ['proxy:read'] }),
    empty: { ...emptyApplication, permissions: ['proxy:read'], can_create_expiring_applications: false },
  },
  {
    what: 'an expiring application whose rules have conditions',
    path: '/applications',
    body: () => ({
      name: 'guest',
      type: 'expiring',
      rules: [
        {
          ...rule,
          container: null,
          conditions: [{ attribute: 'id', operator: 'equals', value: 'card-1' }],
        },
      ],
    }),
    empty: { permissions: [] },
  },
  {
    what: 'a webhook',
    path: '/webhooks',
    body: () => ({ name: 'told', url: 'https://example.com/hook', events: ['reactor.completed'] }),
    empty: { notify_email: '' },
  },
];

/** Infrastructure as code and typed clients read a resource, and write what they have read. */
describe('what was read is taken back as it was', () => {
  let api: TestApi;
  let ids: Ids;

  before(async () => {
    api = await startTestApi();
    const id = async (path: string, body: object) => (await api.send(`POST ${path}`, { body })).body.id;
    const formula = { type: 'private', name: 'charge', code };
    ids = {
      formula: await id('/reactor-formulas', { ...formula, configuration: declared }),
      bareFormula: await id('/reactor-formulas', formula),
      application: await id('/applications', { name: 'a', type: 'private', permissions: ['token:use'] }),
    };
  });
  after(() => api[Symbol.asyncDispose]());

  const read = async (at: string): Promise<Members> => {
    const answer = await api.send(`GET ${at}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body as unknown as Members;
  };

  for (const { what, path, body, empty } of shapes) {
    const nulls = Object.fromEntries(Object.keys(empty).map((name) => [name, null]));
    const forms: readonly (readonly [string, (shown: Members) => Members])[] = [
      ['as it was', (shown) => shown],
      [
        'with null for what was absent',
        (shown) => ({ ...nulls, modified_by: null, modified_at: null, ...shown }),
      ],
      ['with empty values for what was absent', (shown) => ({ ...empty, ...shown })],
    ];
    for (const [how, form] of forms) {
      it(`${what}, ${how}: to change it, and to make another`, async () => {
        const made = await api.send(`POST ${path}`, { body: body(ids) });
        expect(made.status, made.text).to.equal(201);
        const at = `${path}/${made.body.id}`;
        const shown = await read(at);

        const changed = await api.send(`PUT ${at}`, { body: form(shown) });
        expect(changed.status, changed.text).to.equal(200);
        expect(lasting(await read(at))).to.deep.equal(lasting(shown));

        const again = await api.send(`POST ${path}`, { body: form(shown) });
        expect(again.status, again.text).to.equal(201);
        expect(lasting(await read(`${path}/${again.body.id}`))).to.deep.equal(lasting(shown));
        // A tenant may have few webhooks.
        for (const { id } of [made.body, again.body]) await api.send(`DELETE ${path}/${id}`);
      });
    }
  }

  it('a tenant, as it was', async () => {
    const shown = await read('/tenants/self');
    const changed = await api.send('PUT /tenants/self', { body: shown });
    expect(changed.status, changed.text).to.equal(200);
    expect(lasting(await read('/tenants/self'))).to.deep.equal(lasting(shown));
  });

  it('an application_id that is none to act as is a 400 that names it', async () => {
    const answer = await api.send('POST /proxies', {
      body: { ...proxy, application_id: '7d9f8a52-0000-4000-8000-000000000000' },
    });
    expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['application_id']]);
  });

  it('an application that is null is none, whatever application_id says', async () => {
    const { application } = ids;
    const answer = await api.send('POST /proxies', {
      body: { ...proxy, application: null, application_id: application },
    });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body).not.to.have.property('application_id');
  });
});

/** What a write does not give anew. What is empty and what is absent mean the same. */
function lasting(shown: Members): Members {
  const anew = new Set(['id', 'key', 'keys', 'created_at', 'created_by', 'modified_at', 'modified_by']);
  const kept = Object.entries(shown).filter(([name]) => !anew.has(name));
  return Object.fromEntries(kept.filter(([, value]) => !['""', '{}', '[]'].includes(JSON.stringify(value))));
}
