import { hashKey } from '@glovebox/access/api-key';
import { proxyRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Answer, type Body, type Sent, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';
const code = 'module.exports = async (req) => req.args;';
const minimal = { name: 'ledger', destination_url: 'https://ledger.example.com/api' };
const mergePatch = 'application/merge-patch+json';

describe('PATCH of a proxy', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;
  let applicationId: string;

  before(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
    applicationId = (await api.send('GET /applications/key', { key: api.tenant.privateKey })).body.id;
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const create = async (more: object = {}): Promise<Body> => {
    const answer = await api.send('POST /proxies', { body: { ...minimal, ...more } });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const full = () => ({
    request_transform: { code },
    response_transform: { code: `${code}//2` },
    configuration: { A: 'a', B: 'b' },
    application: { id: applicationId },
    require_auth: false,
  });
  const patch = (id: string, body: unknown, sent: Sent = {}): Promise<Answer> =>
    api.send(`PATCH /proxies/${id}`, {
      body,
      ...sent,
      headers: { 'Content-Type': mergePatch, ...sent.headers },
    });
  const read = async (id: string) => (await api.send(`GET /proxies/${id}`)).body;
  /** Patches and gives what has changed of the proxy, modification aside. */
  const changed = async (before: Body, body: unknown) => {
    const answer = await patch(before.id, body);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    const {
      modified_by: _by,
      modified_at: _at,
      ...after
    } = (await read(before.id)) as unknown as Record<string, unknown>;
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    const old = before as unknown as Record<string, unknown>;
    const differs = (name: string) => JSON.stringify(old[name]) !== JSON.stringify(after[name]);
    return Object.fromEntries([...names].filter(differs).map((name) => [name, after[name]]));
  };

  const cases: readonly [what: string, sent: object, expected: object][] = [
    ['nothing', {}, {}],
    ['a name', { name: 'other' }, { name: 'other' }],
    [
      'a destination',
      { destination_url: 'https://x.example.com' },
      { destination_url: 'https://x.example.com' },
    ],
    ['a transform', { request_transform: { code: '1' } }, { request_transform: { code: '1' } }],
    ['a transform that is an empty object', { request_transform: {} }, {}],
    [
      'a transform whose code is null',
      { request_transform: { code: null } },
      { request_transform: undefined },
    ],
    ['a transform that is null', { request_transform: null }, { request_transform: undefined }],
    ['one entry', { configuration: { A: 'new' } }, { configuration: { A: 'new', B: 'b' } }],
    ['a null entry', { configuration: { A: null } }, { configuration: { B: 'b' } }],
    ['a null entry that is not there', { configuration: { Z: null } }, {}],
    [
      'entries of every kind',
      { configuration: { A: null, B: 'x', C: '' } },
      { configuration: { B: 'x', C: '' } },
    ],
    ['a configuration that is an empty object', { configuration: {} }, {}],
    ['a configuration that is null', { configuration: null }, { configuration: undefined }],
    ['an application that is null', { application: null }, { application_id: undefined }],
    ['an application without an id', { application: {} }, {}],
    ['an application_id that is null', { application_id: null }, { application_id: undefined }],
    ['require_auth', { require_auth: true }, { require_auth: true }],
    ['require_auth that is null', { require_auth: null }, { require_auth: true }],
    ['what cannot be set', { id: nobody, key: 'mine', tenant_id: nobody, state: 'failed', x: 1 }, {}],
  ];
  for (const [what, sent, expected] of cases) {
    it(`${what}: changes that and nothing else`, async () => {
      expect(await changed(await create(full()), sent)).to.deep.equal(expected);
    });
  }

  it('sets what was not there before, and is published', async () => {
    const before = await create();
    const { application, ...attributes } = full();
    expect(await changed(before, full())).to.deep.equal({ ...attributes, application_id: application.id });
    const record = (await eyes.find(proxyRecord(hashKey(before.key))))?.record;
    expect(record?.value).to.deep.include({ requestTransformCode: code, applicationId, requireAuth: false });
    expect((await read(before.id)).modified_at).to.be.a('string');
  });

  it('a transform of which nothing is said takes no list away', async () => {
    const before = await create({ request_transforms: [{ code }] });
    for (const request_transform of [{}, { code: null }]) {
      expect(await changed(before, { request_transform })).to.deep.equal({});
    }
    const gone = { request_transform: {}, request_transforms: null };
    expect(await changed(before, gone)).to.deep.equal({ request_transforms: undefined });
  });

  it('any other content type is a 415, and a merge patch is none for PUT', async () => {
    const { id } = await create();
    for (const type of [
      'application/json',
      'application/json-patch+json',
      'text/plain',
      `${mergePatch}; charset=latin1`,
      '',
    ]) {
      const headers = { 'Content-Type': type };
      const answer = await patch(id, { name: 'x' }, { headers });
      expectProblem(answer, 415);
      expect(answer.body.detail).to.equal('The content type must be application/merge-patch+json in UTF-8.');
    }
    expect(
      (await patch(id, {}, { headers: { 'Content-Type': `${mergePatch}; charset=UTF-8` } })).status,
    ).to.equal(204);
    const put = await api.send(`PUT /proxies/${id}`, {
      body: minimal,
      headers: { 'Content-Type': mergePatch },
    });
    expectProblem(put, 415);
    expect(await read(id)).to.include({ name: 'ledger' });
  });

  it('everything that is wrong is said at once, as PUT says it, and nothing changes', async () => {
    const before = await create(full());
    const answer = await patch(before.id, {
      name: '',
      destination_url: 'http://10.0.0.1',
      request_transform: { code: 'module.exports = (' },
      response_transform: 'x',
      configuration: { A: 5, B: null },
      application: { id: nobody },
      require_auth: 'yes',
    });
    expectProblem(answer, 400);
    expect(answer.body.title).to.equal('One or more validation errors occurred.');
    expect(answer.body.errors).to.have.all.keys(
      'name',
      'destination_url',
      'request_transform.code',
      'response_transform',
      'configuration.A',
      'application.id',
      'require_auth',
    );
    expect(await read(before.id)).to.deep.include({ name: 'ledger', configuration: { A: 'a', B: 'b' } });
  });

  it('what a proxy must have cannot be taken away', async () => {
    const { id } = await create();
    const body = {
      name: null,
      destination_url: null,
      application: {},
    };
    const answer = await patch(id, body);
    expectProblem(answer, 400);
    expect(answer.body.errors).to.deep.equal({
      name: ['is required'],
      destination_url: ['is required'],
      'application.id': ['is required'],
    });
  });

  it('a configuration has at most 25 entries, counted after the patch', async () => {
    const entries = (from: number, count: number, value: string | null) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`N${from + i}`, value]));
    const { id } = await create({ configuration: entries(0, 25, 'x') });
    const refused = await patch(id, { configuration: { ONE_MORE: 'x' } });
    expectProblem(refused, 400);
    expect(refused.body.errors).to.deep.equal({ configuration: ['must have at most 25 entries'] });
    const swapped = { ...entries(0, 25, null), ...entries(100, 25, 'y') };
    expect((await patch(id, { configuration: swapped })).status).to.equal(204);
    expect((await read(id)).configuration).to.deep.equal(entries(100, 25, 'y'));
    expectProblem(await patch(id, { configuration: entries(0, 51, null) }), 400);
  });

  it('of many patches at once none is lost', async () => {
    const { id } = await create({ configuration: { START: '0' } });
    const names = Array.from({ length: 12 }, (_, i) => `N${i}`);
    const answers = await Promise.all([
      ...names.map((name) => patch(id, { configuration: { [name]: name } })),
      patch(id, { name: 'raced' }),
      patch(id, { configuration: { START: null } }),
      patch(id, { response_transform: { code } }),
    ]);
    for (const { status, text } of answers) expect(status, text).to.equal(204);
    expect(await read(id)).to.deep.include({
      name: 'raced',
      response_transform: { code },
      configuration: Object.fromEntries(names.map((name) => [name, name])),
    });
  });

  it('patches at once never bring a configuration beyond its bound', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const entries = Array.from({ length: 5 }, (_item, i) => [`N${n}_${i}`, 'x']);
        return patch(id, { configuration: Object.fromEntries(entries) });
      }),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([204, 204, 204, 204, 204, 400, 400, 400]);
    expect(Object.keys((await read(id)).configuration)).to.have.length(25);
  });

  it('one that is repeated with its idempotency key is done once', async () => {
    const { id } = await create();
    const sent = { headers: { 'SVC-IDEMPOTENCY-KEY': 'patched once' } };
    expect((await patch(id, { name: 'first' }, sent)).status).to.equal(204);
    expect((await patch(id, { name: 'second' })).status).to.equal(204);
    const again = await patch(id, { name: 'first' }, sent);
    expect([again.status, again.text]).to.deep.equal([204, '']);
    expect(await read(id)).to.include({ name: 'second' });
  });

  const hostile: readonly [what: string, body: unknown, status: number][] = [
    ['a list', [], 400],
    ['null', 'null', 400],
    ['no JSON', '{"name": ', 400],
    ['nothing', '', 400],
    ['U+0000', { name: 'a\0b' }, 400],
    ['half of a surrogate pair', '{"configuration": {"A": "\\ud800"}}', 400],
    ['an entry that JavaScript would lose', '{"configuration": {"__proto__": "x"}}', 400],
    ['names that mean something to JavaScript', { configuration: { constructor: 'x', toString: null } }, 204],
    ['a prototype', '{"__proto__": {"name": ""}}', 204],
  ];
  for (const [what, body, status] of hostile) {
    it(`${what} is a ${status}`, async () => {
      const { id } = await create(full());
      const answer = await patch(id, body);
      expect(answer.status, answer.text).to.equal(status);
      if (status === 400) expectProblem(answer, 400);
      expect(await read(id)).to.include({ name: 'ledger' });
    });
  }

  it('401 without a key, 403 without the permission, 404 for what is not the tenant’s', async () => {
    const { id } = await create();
    const { managementKey } = await api.newTenant();
    expectProblem(await patch(id, { name: 'x' }, { key: null }), 401);
    expectProblem(await patch(id, { name: 'x' }, { key: api.tenant.privateKey }), 403);
    expectProblem(await patch(id, { name: 'x' }, { key: managementKey }), 404);
    expectProblem(await patch(nobody, { name: 'x' }), 404);
    expectProblem(await patch('x', { name: 'x' }), 404);
    expect(await read(id)).to.include({ name: 'ledger' });
  });
});
