import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';

const nobody = '7d9f8a52-0000-4000-8000-000000000000';
const minimal = {
  type: 'private',
  name: 'issue',
  code: 'module.exports = async (req) => ({ raw: req.args })',
};
const full = {
  type: 'private',
  status: 'verified',
  name: 'charge',
  description: 'Charges\na card',
  icon: 'data:image/png;base64,iVBORw0KGgo=',
  code: 'module.exports = async () => ({})',
  configuration: [
    { name: 'API_KEY', description: 'of the processor', type: 'string' },
    { name: 'RETRIES', type: 'number' },
  ],
  request_parameters: [
    { name: 'card.number', description: 'PAN', type: 'string', optional: false },
    { name: 'amount', type: 'number', optional: true },
  ],
};

describe('reactor formulas', () => {
  let api: TestApi;

  before(async () => {
    api = await startTestApi();
  });

  after(() => api[Symbol.asyncDispose]());

  const create = async (body: object = minimal): Promise<Body> => {
    const answer = await api.send('POST /reactor-formulas', { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };

  it('a create answers 201 with the formula, where it is, its defaults, and without what is null', async () => {
    const answer = await api.send('POST /reactor-formulas', { body: minimal });
    expect(answer.status).to.equal(201);
    const {
      id,
      created_at: createdAt,
      created_by: createdBy,
      ...rest
    } = answer.body as Body & { created_by: string };
    expect(answer.headers.get('location')).to.equal(`/reactor-formulas/${id}`);
    expect(new Date(createdAt).toISOString()).to.equal(createdAt);
    expect(createdBy).to.equal((await api.send('GET /applications/key')).body.id);
    expect(rest).to.deep.equal({ ...minimal, status: 'verified', configuration: [], request_parameters: [] });
  });

  it('everything that was sent comes back, from create, get and list', async () => {
    const created = await create(full);
    expect(created).to.deep.include(full);
    const { body: read } = await api.send(`GET /reactor-formulas/${created.id}`);
    expect(read).to.deep.equal(created);
    const { data } = (await api.send('GET /reactor-formulas?size=1')).body;
    expect(data).to.deep.equal([created]);
  });

  it('a formula is verified, whatever a client says', async () => {
    const created = await create({ ...minimal, status: 'coming_soon' });
    expect(created).to.include({ status: 'verified' });
  });

  it('an official one cannot be created, nor made of a private one', async () => {
    const body = { ...minimal, type: 'official' };
    const { id } = await create();
    for (const request of ['POST /reactor-formulas', `PUT /reactor-formulas/${id}`]) {
      const answer = await api.send(request, { body });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.deep.equal({
        type: ['must be private: official formulas cannot be created'],
      });
    }
  });

  it('every problem of a body is named at once', async () => {
    const body = {
      type: 'official',
      name: '',
      code: '',
      configuration: [{ name: 'a b', type: 'array' }],
      request_parameters: [{ name: 'x', type: 'string' }, { name: 'x', type: 'string' }, {}],
    };
    const answer = await api.send('POST /reactor-formulas', { body });
    expectProblem(answer, 400);
    expect(answer.body.title).to.equal('One or more validation errors occurred.');
    expect(answer.body.errors).to.have.all.keys(
      'type',
      'name',
      'code',
      'configuration[0].name',
      'configuration[0].type',
      'request_parameters[1].name',
      'request_parameters[2].name',
      'request_parameters[2].type',
    );
  });

  it('an update replaces everything, and what it leaves out goes back to its default', async () => {
    const created = await create(full);
    const answer = await api.send(`PUT /reactor-formulas/${created.id}`, { body: minimal });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.include({
      ...minimal,
      id: created.id,
      configuration: [],
      request_parameters: [],
    });
    expect(answer.body)
      .to.include.keys('modified_by', 'modified_at')
      .and.not.to.include.keys('description', 'icon');
    expect((await api.send(`GET /reactor-formulas/${created.id}`)).body).to.deep.equal(answer.body);
  });

  it('an icon that is empty is none', async () => {
    const answer = await api.send('POST /reactor-formulas', { body: { ...minimal, icon: '' } });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body).not.to.include.keys('icon');
  });

  it('lists are narrowed by name and cut into pages', async () => {
    const { managementKey: key } = await api.newTenant();
    for (const name of ['alpha', 'Alphabet', 'beta']) {
      await api.send('POST /reactor-formulas', { key, body: { ...minimal, name } });
    }
    const list = async (query: string) => (await api.send(`GET /reactor-formulas${query}`, { key })).body;
    expect((await list('?name=ALPHA*')).data.map(({ name }) => name)).to.deep.equal(['Alphabet', 'alpha']);
    expect((await list('?size=1&page=3')).data.map(({ name }) => name)).to.deep.equal(['alpha']);
    expect((await list('?name=alpha&size=1')).pagination).to.include({ total_items: 2, total_pages: 2 });
    expect((await api.send('GET /reactor-formulas?size=101', { key })).status).to.equal(400);
  });

  it('a delete answers 204, and then there is none', async () => {
    const { id } = await create();
    const answer = await api.send(`DELETE /reactor-formulas/${id}`);
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    expect((await api.send(`GET /reactor-formulas/${id}`)).status).to.equal(404);
    expect((await api.send(`DELETE /reactor-formulas/${id}`)).status).to.equal(404);
  });

  it('a formula in use cannot be deleted; it can once its reactors are gone', async () => {
    const { id } = await create();
    const body = { name: 'r', formula: { id }, configuration: {} };
    const { body: reactor } = await api.send('POST /reactors', { body });
    const answer = await api.send(`DELETE /reactor-formulas/${id}`);
    expectProblem(answer, 409);
    expect(answer.body.detail).to.equal('The reactor formula is in use by 1 reactor. Delete them first.');
    expect((await api.send(`DELETE /reactors/${reactor.id}`)).status).to.equal(204);
    expect((await api.send(`DELETE /reactor-formulas/${id}`)).status).to.equal(204);
  });

  it('a formula and its first reactor: deleted or used, whichever comes first, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await create();
      const body = { name: 'r', formula: { id }, configuration: {} };
      const [made, gone] = await Promise.all([
        api.send('POST /reactors', { body }),
        api.send(`DELETE /reactor-formulas/${id}`),
      ]);
      expect([made.status, gone.status].join()).to.be.oneOf(['201,409', '400,204']);
    }
  });

  it("another tenant's formulas do not exist", async () => {
    const { id } = await create();
    const { managementKey: key } = await api.newTenant();
    expect((await api.send(`GET /reactor-formulas/${id}`, { key })).status).to.equal(404);
    expect((await api.send(`PUT /reactor-formulas/${id}`, { key, body: minimal })).status).to.equal(404);
    expect((await api.send(`DELETE /reactor-formulas/${id}`, { key })).status).to.equal(404);
    expect((await api.send('GET /reactor-formulas', { key })).body.data).to.deep.equal([]);
    expect((await api.send(`GET /reactor-formulas/${nobody}`)).status).to.equal(404);
  });

  it('code of 50 000 escaped characters is let in, and comes back as it was', async () => {
    const code = `//${'\u0001💳'.repeat(16_666)}`;
    const { id } = await create({ ...minimal, code });
    expect((await api.send(`GET /reactor-formulas/${id}`)).body).to.include({ code });
  });
});
