import { reactorRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Answer, type Body, type Sent, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';
const mergePatch = 'application/merge-patch+json';
const formulaBody = {
  type: 'private',
  name: 'charge',
  code: 'module.exports = async (req) => ({ raw: req.args })',
  configuration: [
    { name: 'API_KEY', type: 'string' },
    { name: 'RETRIES', type: 'number' },
  ],
  request_parameters: [],
};
const configuration = { API_KEY: 'sk', RETRIES: '3', EXTRA: 'e' };

describe('PATCH of a reactor', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;
  let formula: Body;
  let application: Body;

  before(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
    formula = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    application = (await api.send('GET /applications/key', { key: api.tenant.privateKey })).body;
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const create = async (more: object = {}): Promise<Body> => {
    const body = { name: 'eu', formula: { id: formula.id }, configuration, application, ...more };
    const answer = await api.send('POST /reactors', { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const patch = (id: string, body: unknown, sent: Sent = {}): Promise<Answer> =>
    api.send(`PATCH /reactors/${id}`, {
      body,
      ...sent,
      headers: { 'Content-Type': mergePatch, ...sent.headers },
    });
  const read = async (id: string) => (await api.send(`GET /reactors/${id}`)).body;

  const cases: readonly [what: string, sent: object, expected: object][] = [
    ['nothing', {}, {}],
    ['a name', { name: 'us' }, { name: 'us' }],
    [
      'an entry, sent as what the formula declares',
      { configuration: { RETRIES: 7 } },
      { configuration: { ...configuration, RETRIES: '7' } },
    ],
    [
      'an entry that the formula does not declare',
      { configuration: { NEW: true, EXTRA: null } },
      { configuration: { API_KEY: 'sk', RETRIES: '3', NEW: 'true' } },
    ],
    ['an application without an id', { application: {} }, {}],
    ['an application that is null', { application: null }, { application: undefined }],
    ['what cannot be set', { id: nobody, tenant_id: nobody, state: 'failed', surprise: 1 }, {}],
  ];
  for (const [what, sent, expected] of cases) {
    it(`${what}: changes that and nothing else`, async () => {
      const before = await create();
      const answer = await patch(before.id, sent);
      expect([answer.status, answer.text]).to.deep.equal([204, '']);
      const after = await read(before.id);
      expect(after.modified_at).to.be.a('string');
      const { modified_at: _at, modified_by: _by, ...rest } = after as Body & { modified_by: string };
      const wanted = JSON.parse(JSON.stringify({ ...before, ...expected })) as object;
      expect(rest).to.deep.equal(wanted);
    });
  }

  it('existing clients may send back the whole reactor, formula and all; it is published', async () => {
    const before = await create();
    expect((await patch(before.id, { ...before, name: 'whole' })).status).to.equal(204);
    expect(await read(before.id)).to.deep.include({ ...before, name: 'whole' });
    const record = (await eyes.find(reactorRecord(before.id)))?.record;
    expect(record?.value).to.deep.include({ name: 'whole', formulaId: formula.id });
  });

  it('any other content type is a 415', async () => {
    const { id } = await create();
    for (const type of ['application/json', '']) {
      expectProblem(await patch(id, { name: 'x' }, { headers: { 'Content-Type': type } }), 415);
    }
    expect(await read(id)).to.include({ name: 'eu' });
  });

  it('everything that is wrong is said at once, as PUT says it, and nothing changes', async () => {
    const before = await create();
    const other = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    const answer = await patch(before.id, {
      name: null,
      configuration: { RETRIES: 'many', API_KEY: null, NEW: {} },
      application: { id: nobody },
      formula: { id: other.id },
      code: 'module.exports = (',
    });
    expectProblem(answer, 400);
    expect(answer.body.errors).to.have.all.keys(
      'name',
      'configuration.RETRIES',
      'configuration.API_KEY',
      'configuration.NEW',
      'application.id',
      'formula.id',
      'code',
    );
    expect(await read(before.id)).to.deep.equal(before);
  });

  it('a configuration that is null is cleared where the formula declares nothing, and lacks what it declares', async () => {
    const { id } = await create();
    const refused = await patch(id, { configuration: null });
    expectProblem(refused, 400);
    expect(refused.body.errors).to.deep.equal({
      'configuration.API_KEY': ['is required'],
      'configuration.RETRIES': ['is required'],
    });
    const bare = { ...formulaBody, configuration: [] };
    const { id: free } = (await api.send('POST /reactor-formulas', { body: bare })).body;
    const reactor = await create({ formula: { id: free } });
    expect((await patch(reactor.id, { configuration: null })).status).to.equal(204);
    expect((await read(reactor.id)).configuration).to.deep.equal({});
    expectProblem(await patch(reactor.id, { formula: null }), 400);
  });

  it('is judged by the formula as it is when it is merged, and untouched entries are not judged anew', async () => {
    const own = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    const { id } = await create({ formula: { id: own.id } });
    const declared = [
      { name: 'API_KEY', type: 'number' },
      { name: 'REGION', type: 'string' },
    ];
    const body = { ...formulaBody, configuration: declared };
    expect((await api.send(`PUT /reactor-formulas/${own.id}`, { body })).status).to.equal(200);
    expect((await patch(id, { name: 'renamed' })).status).to.equal(204);
    const refused = await patch(id, { configuration: { API_KEY: 'x' } });
    expect(refused.body.errors).to.have.all.keys('configuration.API_KEY', 'configuration.REGION');
    expect((await patch(id, { configuration: { REGION: 'eu' } })).status).to.equal(204);
    expect((await read(id)).configuration).to.deep.equal({ ...configuration, REGION: 'eu' });
  });

  it('of many patches at once, beside changes of the formula, none is lost', async () => {
    const own = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    const { id } = await create({ formula: { id: own.id } });
    const names = Array.from({ length: 10 }, (_, i) => `N${i}`);
    const answers = await Promise.all([
      ...names.map((name) => patch(id, { configuration: { [name]: name } })),
      patch(id, { name: 'raced' }),
      api.send(`PUT /reactor-formulas/${own.id}`, { body: { ...formulaBody, name: 'raced too' } }),
    ]);
    for (const { status, text } of answers) expect(status, text).to.be.oneOf([200, 204]);
    const after = await read(id);
    const added = Object.fromEntries(names.map((name) => [name, name]));
    expect(after).to.deep.include({ name: 'raced', configuration: { ...configuration, ...added } });
    const record = (await eyes.find(reactorRecord(id)))?.record;
    const sealed = (record?.value as { sealedConfiguration: object } | undefined)?.sealedConfiguration;
    expect(Object.keys(sealed ?? {})).to.have.members(Object.keys(after.configuration));
  });

  it('names that mean something to JavaScript are harmless', async () => {
    const { id } = await create({ configuration: { ...configuration, constructor: 'x' } });
    expect((await patch(id, { configuration: { constructor: null, toString: 'y' } })).status).to.equal(204);
    expect((await read(id)).configuration).to.deep.equal({ ...configuration, toString: 'y' });
    expectProblem(await patch(id, '{"configuration": {"__proto__": "x"}}'), 400);
  });

  it('401 without a key, 403 without the permission, 404 for what is not the tenant’s', async () => {
    const { id } = await create();
    const { managementKey } = await api.newTenant();
    expectProblem(await patch(id, { name: 'x' }, { key: null }), 401);
    expectProblem(await patch(id, { name: 'x' }, { key: api.tenant.publicKey }), 403);
    expectProblem(await patch(id, { name: 'x' }, { key: managementKey }), 404);
    expectProblem(await patch(nobody, { name: 'x' }), 404);
    expect(await read(id)).to.include({ name: 'eu' });
  });
});
