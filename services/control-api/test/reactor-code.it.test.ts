import { reactorRecord } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type Body, type Sent, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { inDatabase } from './harness/stores.ts';

const code = 'module.exports = async (req) => ({ raw: req.args })';
const other = 'module.exports = async () => ({ raw: 1 })';
const formulaBody = { type: 'private', name: 'f', code, configuration: [], request_parameters: [] };

/** Code directly on a reactor, in place of a formula (contract/reactors.md#reactor-object). */
describe('a reactor with code of its own', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;

  before(async () => {
    api = await startTestApi();
    eyes = await openEyes(api.config);
  });

  after(async () => {
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const create = async (more: object = {}): Promise<Body & { code: string }> => {
    const answer = await api.send('POST /reactors', { body: { name: 'own', code, ...more } });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as Body & { code: string };
  };
  const patch = (id: string, body: unknown, sent: Sent = {}) =>
    api.send(`PATCH /reactors/${id}`, {
      body,
      ...sent,
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
  const read = async (id: string) => (await api.send(`GET /reactors/${id}`)).body;
  const publishedCode = async (id: string) =>
    ((await eyes.find(reactorRecord(id)))?.record?.value as { code: string } | undefined)?.code;

  it('is created without formula and configuration, and shows code in place of the formula', async () => {
    const created = await create();
    expect(created).to.have.all.keys(
      'id',
      'tenant_id',
      'name',
      'code',
      'configuration',
      'state',
      'created_by',
      'created_at',
    );
    expect(created).to.deep.include({ code, configuration: {}, state: 'active' });
    expect(await read(created.id)).to.deep.equal(created);
    expect((await api.send(`GET /reactors?id=${created.id}`)).body.data).to.deep.equal([created]);
    expect((await eyes.find(reactorRecord(created.id)))?.record?.value).to.deep.include({
      code,
      declaredConfiguration: [],
      requestParameters: [],
    });
  });

  it('PUT and PATCH change the code, and it is published', async () => {
    const { id } = await create({ configuration: { A: 'a' } });
    const put = await api.send(`PUT /reactors/${id}`, {
      body: { name: 'again', code: other, configuration: {} },
    });
    expect(put.status, put.text).to.equal(200);
    expect(put.body).to.deep.include({ name: 'again', code: other, configuration: {} });
    expect(await publishedCode(id)).to.equal(other);
    expect((await patch(id, { code, configuration: { B: 'b' } })).status).to.equal(204);
    expect(await read(id)).to.deep.include({ name: 'again', code, configuration: { B: 'b' } });
    expect(await publishedCode(id)).to.equal(code);
  });

  it('its code is no formula: it is in no list, and cannot be read, changed, deleted or used', async () => {
    const { id } = await create();
    const url = api.config.databaseUrl.reveal();
    const rows = await inDatabase<{ formula_id: string }>(
      url,
      'SELECT formula_id FROM reactors WHERE id = $1',
      [id],
    );
    const hidden = rows[0]?.formula_id ?? '';
    const { data } = (await api.send('GET /reactor-formulas?size=100')).body;
    expect(data.map((formula) => formula.id)).not.to.include(hidden);
    expectProblem(await api.send(`GET /reactor-formulas/${hidden}`), 404);
    expectProblem(await api.send(`PUT /reactor-formulas/${hidden}`, { body: formulaBody }), 404);
    expectProblem(await api.send(`DELETE /reactor-formulas/${hidden}`), 404);
    const body = { name: 'x', formula: { id: hidden }, configuration: {} };
    expect((await api.send('POST /reactors', { body })).body.errors).to.have.all.keys('formula.id');
  });

  it('a delete takes its code with it', async () => {
    const { id } = await create();
    const url = api.config.databaseUrl.reveal();
    const count = async () => {
      const rows = await inDatabase<{ n: string }>(
        url,
        'SELECT count(*) AS n FROM reactor_formulas WHERE inline',
      );
      return Number(rows[0]?.n);
    };
    const before = await count();
    expect((await api.send(`DELETE /reactors/${id}`)).status).to.equal(204);
    expect(await count()).to.equal(before - 1);
    expect((await eyes.find(reactorRecord(id)))?.record?.$case).to.equal('tombstone');
  });

  it('patches and a delete at once leave no deadlock and no half', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await create();
      const answers = await Promise.all([
        patch(id, { code: other }),
        patch(id, { name: 'x' }),
        api.send(`DELETE /reactors/${id}`),
        patch(id, { code: `${other};` }),
      ]);
      for (const { status, text } of answers) expect(status, text).to.be.oneOf([204, 404]);
      expect((await eyes.find(reactorRecord(id)))?.record?.$case).to.equal('tombstone');
    }
  });

  const refused: readonly [what: string, body: object, paths: string[]][] = [
    ['code that does not parse', { name: 'x', code: 'module.exports = (' }, ['code']],
    ['code of the wrong type, with a bad name', { code: 5 }, ['name', 'code']],
    ['code that is too long', { name: 'x', code: '1'.repeat(50_001) }, ['code']],
    ['code beside a formula', { name: 'x', code, formula: { id: 'x' } }, ['formula']],
    ['neither code nor formula', { name: 'x', code: null }, ['formula', 'configuration']],
  ];
  for (const [what, body, paths] of refused) {
    it(`${what}: 400, every problem by its path`, async () => {
      const answer = await api.send('POST /reactors', { body });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys(paths);
    });
  }

  it('a reactor keeps what it was made with: code stays code, a formula a formula', async () => {
    const own = await create();
    const formula = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
    const body = { name: 'by formula', formula: { id: formula.id }, configuration: {} };
    const shared = (await api.send('POST /reactors', { body })).body;
    const errorsOf = async (id: string, sent: object) => [
      (await api.send(`PUT /reactors/${id}`, { body: { name: 'x', configuration: {}, ...sent } })).body
        .errors,
      (await patch(id, sent)).body.errors,
    ];
    for (const errors of await errorsOf(own.id, { code, formula: { id: formula.id } })) {
      expect(errors).to.have.all.keys('formula');
    }
    for (const errors of await errorsOf(shared.id, { code })) expect(errors).to.have.all.keys('code');
    const without = await api.send(`PUT /reactors/${own.id}`, { body: { name: 'x' } });
    expect(without.body.errors).to.deep.equal({ code: ['is required'] });
    expect((await patch(own.id, { code: null })).body.errors).to.deep.equal({ code: ['is required'] });
    expect((await patch(own.id, { code: 'module.exports = (' })).body.errors).to.have.all.keys('code');
    expect((await read(own.id)) as Body & { code: string }).to.include({ code });
  });

  it('the tenant’s deletion takes it along', async () => {
    const { managementKey: key } = await api.newTenant();
    const { id } = (await api.send('POST /reactors', { key, body: { name: 'own', code } })).body;
    expect((await api.send('DELETE /tenants/self', { key })).status).to.equal(204);
    expect((await eyes.find(reactorRecord(id)))?.record?.$case).to.equal('tombstone');
  });
});
