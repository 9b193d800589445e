import { defaultAccessLimits } from '@glovebox/access/access-limits';
import { expect } from 'chai';

import type { InputLimits } from '../src/limits/input-limits.ts';
import { type TestApi, startTestApi } from './harness/api.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';

const inputLimits: InputLimits = {
  bodyBytes: 2000,
  heldBytes: 2000,
  bodyNesting: 10,
  nameLength: 8,
  formulaDescriptionLength: 9,
  iconLength: 40,
  codeLength: 60,
  settings: 2,
  settingLength: 5,
  declarations: 1,
  transforms: 1,
  transformValueLength: 20,
  identifierLength: 3,
  locationLength: 12,
  patternLength: 3,
  expressionLength: 10,
  timeoutSeconds: 5,
  keys: 1,
  webhooks: 1,
  tenantSettings: 1,
  tenantSettingLength: 6,
  pageSize: 7,
  memberPageSize: 6,
  logPageSize: 5,
  numberedLogs: 9,
  tokenIdLength: 36,
  access: { ...defaultAccessLimits, rules: 1, descriptionLength: 4, permissions: 2, containerLength: 8 },
};

const long = 'nine char';
const rule = { priority: 1, container: '/', transform: 'mask', permissions: ['token:read'] };
const proxy = { name: 'p', destination_url: 'https://example.com' };
const code = 'module.exports = async (req) => req.args;';
const longCode = `${code}// beyond what the operator allows`;
const three = { a: '1', b: '2', c: '3' };

/** What is sent, and all that is wrong with it. */
const refused: readonly [name: string, request: string, body: object, problems: Record<string, string[]>][] =
  [
    [
      'a name, a destination, a timeout, and the name of an entry',
      'POST /proxies',
      {
        name: long,
        destination_url: 'https://example.com/abcdefghijk',
        timeout: 6,
        configuration: { [long]: '1' },
      },
      {
        name: ['must be at most 8 characters long'],
        destination_url: ['must be 1 to 30 characters long'],
        timeout: ['must be at most 5'],
        [`configuration.${long}`]: ['must have a name of at most 8 characters'],
      },
    ],
    [
      'the name of what a transform makes, the place where another appends, and an expression',
      'POST /proxies',
      {
        ...proxy,
        request_transform: { type: 'tokenize', options: { identifier: 'abcd', token: {} } },
        response_transforms: [
          { type: 'append_json', options: { value: '{{ res.abcdefg }}', location: '$.abcdefghijk' } },
        ],
      },
      {
        'request_transform.options.identifier': ['must have 1 to 3 letters, digits, ".", "_" and "-"'],
        'response_transforms[0].options.value': ['may hold expressions of at most 10 characters'],
        'response_transforms[0].options.location': ['must be at most 12 characters long'],
      },
    ],
    [
      'the name of an application, and its permissions',
      'POST /applications',
      { name: long, type: 'private', permissions: ['token:use', 'token:read', 'token:create'] },
      { name: ['must be at most 8 characters long'], permissions: ['must hold at most 2 permissions'] },
    ],
    [
      'how many rules an application has',
      'POST /applications',
      { name: 'a', type: 'private', rules: [rule, { ...rule, priority: 2 }] },
      { rules: ['must hold at most 1 rules'] },
    ],
    [
      'the description and the container of a rule',
      'POST /applications',
      { name: 'a', type: 'private', rules: [{ ...rule, description: '12345', container: '/pci/high/' }] },
      {
        'rules[0].description': ['must be a string of at most 4 characters'],
        'rules[0].container': [
          'must be a path such as /pci/high/: segments of letters, digits, - and _, ' +
            'a slash before and after each, at most 8 characters',
        ],
      },
    ],
    [
      'texts of a formula, and of what it declares',
      'POST /reactor-formulas',
      {
        type: 'private',
        name: 'f',
        code,
        description: 'x'.repeat(10),
        icon: `data:image/png;base64,${'a'.repeat(20)}`,
        request_parameters: [{ name: 'nine_char', description: '12345', type: 'string' }],
      },
      {
        description: ['must be at most 9 characters long'],
        icon: ['must be at most 40 characters long'],
        'request_parameters[0].name': ['must be at most 8 characters long'],
        'request_parameters[0].description': ['must be at most 4 characters long'],
      },
    ],
    [
      'the name of a tenant, and its settings',
      'PUT /tenants/self',
      { name: long, settings: { a: '1', b: '2' } },
      { name: ['must be at most 8 characters long'], settings: ['must have at most 1 entries'] },
    ],
    [
      'a setting of a tenant',
      'PUT /tenants/self',
      { name: 't', settings: { a: '1234567' } },
      { 'settings.a': ['must be at most 6 characters long'] },
    ],
    [
      'the name and the address of a webhook',
      'POST /webhooks',
      { name: long, url: 'https://example.com/abcdefghijk', events: ['token.created'] },
      { name: ['must be at most 8 characters long'], url: ['must be 1 to 30 characters long'] },
    ],
    [
      'code of a transform, entries, transforms of a side',
      'POST /proxies',
      {
        ...proxy,
        configuration: three,
        request_transform: { code: longCode },
        response_transforms: [{}, {}],
      },
      {
        configuration: ['must have at most 2 entries'],
        'request_transform.code': ['must be at most 60 characters long'],
        response_transforms: ['must have at most 1 items'],
      },
    ],
    [
      'a value of a configuration, and a pattern',
      'POST /proxies',
      {
        ...proxy,
        configuration: { a: '123456' },
        response_transform: { type: 'mask', matcher: 'regex', expression: '(abc)', replacement: '*' },
      },
      {
        'configuration.a': ['must be at most 5 characters long'],
        'response_transform.expression': ['must be at most 3 characters long'],
      },
    ],
    [
      'what a transform appends, and makes',
      'POST /proxies',
      {
        ...proxy,
        request_transform: {
          type: 'tokenize',
          options: { identifier: 'a', token: { data: 'a longer value' } },
        },
        response_transform: { type: 'append_text', options: { value: 'x'.repeat(21) } },
      },
      {
        'request_transform.options.token': ['must be at most 20 characters of JSON'],
        'response_transform.options.value': ['must be at most 20 characters long'],
      },
    ],
    [
      'what a formula declares, and its code',
      'POST /reactor-formulas',
      {
        type: 'private',
        name: 'f',
        code: longCode,
        configuration: [
          { name: 'A', type: 'string' },
          { name: 'B', type: 'string' },
        ],
      },
      { code: ['must be at most 60 characters long'], configuration: ['must have at most 1 items'] },
    ],
    [
      'code and configuration of a reactor',
      'POST /reactors',
      { name: 'r', code: longCode, configuration: three },
      { code: ['must be at most 60 characters long'], configuration: ['must have at most 2 entries'] },
    ],
  ];

describe('the limits of what the management API takes', () => {
  let api: TestApi;

  before(async () => {
    api = await startTestApi(
      { sealer: reversingSealer },
      { ...(await newInstallation()), inputLimits, urlLength: 30 },
    );
  });

  after(() => api[Symbol.asyncDispose]());

  for (const [name, request, body, problems] of refused)
    it(`are those that the operator has set: ${name}`, async () => {
      const answer = await api.send(request, { body });
      expect([answer.status, answer.body.errors]).to.deep.equal([400, problems]);
    });

  it('hold for a body, and for what a patch leads to', async () => {
    const large = await api.send('POST /proxies', { body: { ...proxy, name: 'x'.repeat(2000) } });
    expect(large.status).to.equal(413);
    const created = await api.send('POST /proxies', {
      body: { ...proxy, configuration: { a: '1', b: '2' }, request_transform: { code } },
    });
    expect(created.status, created.text).to.equal(201);
    const patched = await api.send(`PATCH /proxies/${created.body.id}`, {
      body: { configuration: { c: '3' } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect([patched.status, patched.body.errors]).to.deep.equal([
      400,
      { configuration: ['must have at most 2 entries'] },
    ]);
  });

  it('hold for how deep a body is nested', async () => {
    const nested = (levels: number) => `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`;
    const send = (levels: number) => api.send('POST /proxies', { body: `{"ignored":${nested(levels)}}` });
    expect(Object.keys((await send(10)).body.errors)).to.deep.equal(['name', 'destination_url']);
    const deeper = await send(11);
    expect([deeper.status, deeper.body.detail]).to.deep.equal([
      400,
      'The request body may be nested at most 10 levels deep.',
    ]);
  });

  it('hold for how much there is of something', async () => {
    const hook = { name: 'w', url: 'https://example.com', events: ['token.created'] };
    expect((await api.send('POST /webhooks', { body: hook })).status).to.equal(201);
    const second = await api.send('POST /webhooks', { body: hook });
    expect([second.status, second.body.detail]).to.deep.equal([422, 'A tenant may have at most 1 webhooks.']);
    const made = await api.send('POST /applications', {
      body: { name: 'a', type: 'private', permissions: ['token:use'] },
    });
    const key = await api.send(`POST /applications/${made.body.id}/keys`);
    expect([key.status, key.body.detail]).to.deep.equal([
      422,
      'An application has at most 1 keys. Delete one to create another.',
    ]);
  });

  it('hold for what a list answers, whose pages are no larger when nothing is said', async () => {
    const pages = {
      '/proxies': 7,
      '/reactors': 7,
      '/reactor-formulas': 7,
      '/applications': 7,
      '/tenants/self/invitations': 7,
      '/webhooks': 7,
      '/tenants/self/members': 6,
      '/logs?entity_type=proxy': 5,
    };
    for (const [path, size] of Object.entries(pages)) {
      const usual = await api.send(`GET ${path}`);
      expect([usual.status, usual.body.pagination?.page_size], path).to.deep.equal([200, size]);
      const larger = await api.send(`GET ${path}${path.includes('?') ? '&' : '?'}size=${size + 1}`);
      expect([larger.status, larger.body.errors], path).to.deep.equal([
        400,
        { size: [`must be an integer from 0 to ${size}`] },
      ]);
    }
    for (const path of ['/proxies', '/reactors', '/reactor-formulas']) {
      const named = await api.send(`GET ${path}?name=${encodeURIComponent(long)}`);
      expect(named.body.errors, path).to.deep.equal({ name: ['must be at most 8 characters long'] });
    }
    const entity = await api.send(`GET /logs?entity_id=${'x'.repeat(37)}`);
    expect(entity.body.errors).to.deep.equal({ entity_id: ['must be at most 36 characters long'] });
  });
});
