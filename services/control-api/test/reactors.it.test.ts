import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';
const formulaBody = {
  type: 'private',
  name: 'charge',
  code: 'module.exports = async (req) => ({ raw: req.args })',
  configuration: [
    { name: 'API_KEY', type: 'string' },
    { name: 'RETRIES', type: 'number' },
    { name: 'LIVE', type: 'boolean' },
  ],
  request_parameters: [{ name: 'card.number', type: 'string' }],
};
const configuration = { API_KEY: 'sk_live', RETRIES: '3', LIVE: 'true' };

describe('reactors', () => {
  let api: TestApi;
  let formula: Body;
  let application: Body;

  before(async () => {
    api = await startTestApi();
    formula = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    application = (await api.send('GET /applications/key', { key: api.tenant.privateKey })).body;
  });

  after(() => api[Symbol.asyncDispose]());

  const minimal = () => ({ name: 'eu', formula: { id: formula.id }, configuration });
  const create = async (more: object = {}): Promise<Body> => {
    const answer = await api.send('POST /reactors', { body: { ...minimal(), ...more } });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };

  it('a create answers 201 with the reactor, its whole formula and application, and without what is null', async () => {
    const body = { ...minimal(), application: { id: application.id } };
    const answer = await api.send('POST /reactors', { body });
    expect(answer.status, answer.text).to.equal(201);
    const {
      id,
      created_at: createdAt,
      created_by: createdBy,
      ...rest
    } = answer.body as Body & { created_by: string };
    expect(answer.headers.get('location')).to.equal(`/reactors/${id}`);
    expect(new Date(createdAt).toISOString()).to.equal(createdAt);
    expect(createdBy).to.equal((await api.send('GET /applications/key')).body.id);
    expect(rest).to.deep.equal({
      tenant_id: api.tenant.id,
      name: 'eu',
      formula,
      application,
      configuration,
      state: 'active',
    });
    expect(application).not.to.have.property('key');
    expect(await create()).not.to.have.property('application');
  });

  it('get and list show what create showed', async () => {
    const created = await create({ application });
    expect((await api.send(`GET /reactors/${created.id}`)).body).to.deep.equal(created);
    expect((await api.send(`GET /reactors?id=${created.id}`)).body).to.deep.equal({
      pagination: { total_items: 1, page_number: 1, page_size: 20, total_pages: 1 },
      data: [created],
    });
  });

  it('numbers and booleans may be sent as such; they come back as text', async () => {
    const created = await create({ configuration: { API_KEY: '', RETRIES: 3, LIVE: false } });
    expect(created.configuration).to.deep.equal({ API_KEY: '', RETRIES: '3', LIVE: 'false' });
    expect((await api.send(`GET /reactors/${created.id}`)).body).to.deep.equal(created);
  });

  it('names that the formula does not declare are kept', async () => {
    const created = await create({ configuration: { ...configuration, REGION: 'eu', constructor: 'x' } });
    expect(created.configuration).to.deep.equal({ ...configuration, REGION: 'eu', constructor: 'x' });
  });

  it('a formula that declares no configuration needs none; one that does needs it', async () => {
    const body = { ...formulaBody, configuration: [] };
    const bare = (await api.send('POST /reactor-formulas', { body })).body;
    for (const none of [{}, { configuration: null }, { configuration: {} }]) {
      const sent = { name: 'eu', formula: { id: bare.id }, ...none };
      const made = await api.send('POST /reactors', { body: sent });
      expect(made.status, made.text).to.equal(201);
      expect(made.body.configuration).to.deep.equal({});
      const changed = await api.send(`PUT /reactors/${made.body.id}`, { body: sent });
      expect([changed.status, changed.body.configuration], changed.text).to.deep.equal([200, {}]);
    }
    const refused = await api.send('POST /reactors', { body: { name: 'eu', formula: { id: formula.id } } });
    expectProblem(refused, 400);
    expect(refused.body.errors).to.deep.equal({ configuration: ['is required'] });
  });

  it('existing clients may send whole objects where an id is enough', async () => {
    const created = await create({ formula, application, surprise: [1] });
    expect(created).to.deep.include({ formula, application });
    const answer = await api.send(`PUT /reactors/${created.id}`, { body: created });
    expect([answer.status, answer.body.formula]).to.deep.equal([200, formula]);
  });

  it('an update replaces everything but the formula', async () => {
    const created = await create({ application });
    const body = { name: 'again', configuration: { ...configuration, RETRIES: 7 } };
    const answer = await api.send(`PUT /reactors/${created.id}`, { body });
    expect(answer.status, answer.text).to.equal(200);
    const {
      modified_at: modifiedAt,
      modified_by: _by,
      ...rest
    } = answer.body as Body & { modified_by: string };
    const { application: _gone, ...kept } = created;
    expect(rest).to.deep.equal({ ...kept, name: 'again', configuration: { ...configuration, RETRIES: '7' } });
    expect(new Date(modifiedAt).toISOString()).to.equal(modifiedAt);
    expect((await api.send(`GET /reactors/${created.id}`)).body).to.deep.equal(answer.body);
  });

  it('the formula stays: another one on update is a 400', async () => {
    const created = await create();
    const other = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    const answer = await api.send(`PUT /reactors/${created.id}`, {
      body: { ...minimal(), formula: { id: other.id } },
    });
    expectProblem(answer, 400);
    expect(answer.body.errors).to.deep.equal({ 'formula.id': ['cannot be changed'] });
  });

  const problems: readonly [why: string, body: () => object, paths: string[]][] = [
    ['nothing', () => ({}), ['name', 'formula', 'configuration']],
    [
      'everything of the wrong type',
      () => ({ name: 1, formula: 'x', configuration: 'x', application: 'x' }),
      ['name', 'formula', 'configuration', 'application'],
    ],
    ['a formula without an id', () => ({ ...minimal(), formula: {} }), ['formula.id']],
    ['a formula that is null', () => ({ ...minimal(), formula: null }), ['formula']],
    ['a formula that does not exist', () => ({ ...minimal(), formula: { id: nobody } }), ['formula.id']],
    ['a configuration that is null', () => ({ ...minimal(), configuration: null }), ['configuration']],
    ['a configuration that is a list', () => ({ ...minimal(), configuration: [] }), ['configuration']],
    [
      'a configuration without what is declared',
      () => ({ ...minimal(), configuration: { API_KEY: null, OTHER: 'x' } }),
      ['configuration.API_KEY', 'configuration.RETRIES', 'configuration.LIVE'],
    ],
    [
      'values of other types than declared, beside a bad name and a bad application',
      () => ({
        ...minimal(),
        name: 'a\nb',
        application: { id: nobody },
        configuration: { API_KEY: 1, RETRIES: 'many', LIVE: {}, OTHER: [] },
      }),
      [
        'name',
        'application.id',
        'configuration.API_KEY',
        'configuration.RETRIES',
        'configuration.LIVE',
        'configuration.OTHER',
      ],
    ],
    [
      'a configuration of 50 000 names',
      () => ({
        ...minimal(),
        configuration: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [i, 1])),
      }),
      ['configuration'],
    ],
    [
      'a value with U+0000',
      () => ({ ...minimal(), configuration: { ...configuration, API_KEY: '\0' } }),
      ['configuration.API_KEY'],
    ],
  ];
  for (const [why, body, paths] of problems) {
    it(`${why}: 400, every problem at once, by its path`, async () => {
      const answer = await api.send('POST /reactors', { body: body() });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys(paths);
    });
  }

  it('names that mean something to JavaScript are harmless', async () => {
    const text = JSON.stringify({ ...minimal(), configuration: { ...configuration, toString: 'x' } });
    const body = text.replace('"configuration":{', '"__proto__":{"name":"p"},"configuration":{');
    const answer = await api.send('POST /reactors', { body });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.configuration).to.deep.equal({ ...configuration, toString: 'x' });
  });

  it('a configuration entry that JavaScript would lose is refused', async () => {
    const text = JSON.stringify(minimal());
    const body = text.replace('"configuration":{', '"configuration":{"__proto__":{"a":1},');
    const answer = await api.send('POST /reactors', { body });
    expectProblem(answer, 400);
    expect(answer.body.errors).to.have.all.keys('configuration');
    expect({}).not.to.have.property('a');
  });

  it('an application must be private or public, and of this tenant', async () => {
    const own = async (key: string) => (await api.send('GET /applications/key', { key })).body.id;
    const other = await api.newTenant();
    expect(
      (await create({ application: { id: await own(api.tenant.publicKey) } })).application.type,
    ).to.equal('public');
    for (const key of [api.tenant.managementKey, other.privateKey]) {
      const answer = await api.send('POST /reactors', {
        body: { ...minimal(), application: { id: await own(key) } },
      });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys('application.id');
    }
  });

  it('an application that was deleted since is none', async () => {
    const body = { name: 'short-lived', type: 'private', permissions: ['token:use'] };
    const { id } = (await api.send('POST /applications', { body })).body;
    const created = await create({ application: { id } });
    await api.send(`DELETE /applications/${id}`);
    expect((await api.send(`GET /reactors/${created.id}`)).body).not.to.have.property('application');
    expect((await api.send(`GET /reactors?id=${created.id}`)).body.data[0]).not.to.have.property(
      'application',
    );
  });

  it("another tenant's reactors and formulas do not exist", async () => {
    const { id } = await create();
    const { managementKey: key } = await api.newTenant();
    expect((await api.send(`GET /reactors/${id}`, { key })).status).to.equal(404);
    expect((await api.send(`PUT /reactors/${id}`, { key, body: minimal() })).status).to.equal(404);
    expect((await api.send(`DELETE /reactors/${id}`, { key })).status).to.equal(404);
    expect((await api.send('GET /reactors', { key })).body.data).to.deep.equal([]);
    const answer = await api.send('POST /reactors', { key, body: minimal() });
    expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['formula.id']]);
  });

  it('a delete answers 204, and then there is none', async () => {
    const { id } = await create();
    const answer = await api.send(`DELETE /reactors/${id}`);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    for (const request of [`GET /reactors/${id}`, `DELETE /reactors/${id}`]) {
      expect((await api.send(request)).status).to.equal(404);
    }
    expect((await api.send(`PUT /reactors/${id}`, { body: minimal() })).status).to.equal(404);
  });

  it('lists are narrowed by id and name and cut into pages, the newest first', async () => {
    const { managementKey: key } = await api.newTenant();
    const { id: formulaId } = (await api.send('POST /reactor-formulas', { key, body: formulaBody })).body;
    const ids: string[] = [];
    for (const name of ['alpha', 'Alphabet', 'beta']) {
      const body = { name, formula: { id: formulaId }, configuration };
      ids.push((await api.send('POST /reactors', { key, body })).body.id);
    }
    const list = async (query: string) => (await api.send(`GET /reactors${query}`, { key })).body;
    expect((await list('')).data.map(({ id }) => id)).to.deep.equal(ids.toReversed());
    expect((await list(`?id=${ids[0]}&id=${ids[2]}`)).data.map(({ name }) => name)).to.deep.equal([
      'beta',
      'alpha',
    ]);
    expect((await list('?name=alpha*&size=1&page=2')).data.map(({ name }) => name)).to.deep.equal(['alpha']);
    expect((await list('?name=alpha*&size=1')).pagination).to.include({ total_items: 2, total_pages: 2 });
    expect((await api.send('GET /reactors?id=x&page=-1', { key })).body.errors).to.have.all.keys(
      'id[0]',
      'page',
    );
  });
});
