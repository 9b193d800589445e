import { reactorRecord } from '@glovebox/published/keys';
import type { PublishedRecords } from '@glovebox/published/published-records';
import { expect } from 'chai';

import type { Sealer } from '../src/secrets/sealer.ts';
import { type Body, type TestApi, type TestTenant, startTestApi } from './harness/api.ts';
import { type ProjectionEyes, openEyes } from './harness/projection.ts';
import { openReader } from './harness/reader.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { inDatabase } from './harness/stores.ts';
import { untilWhole } from './harness/whole.ts';

const code = 'module.exports = async (req) => ({ raw: req.args })';
const formulaBody = {
  type: 'private',
  name: 'charge',
  description: 'told to nobody',
  code,
  configuration: [{ name: 'RETRIES', description: 'how often', type: 'number' }],
  request_parameters: [
    { name: 'card.number', description: 'PAN', type: 'string' },
    { name: 'amount', type: 'number', optional: true },
  ],
};
const configuration = { RETRIES: 3, REGION: 'eu' };

describe('publication of reactors', () => {
  let api: TestApi;
  let eyes: ProjectionEyes;
  let reader: PublishedRecords;
  let whileSealing: () => Promise<unknown> = () => Promise.resolve();
  const sealer: Sealer = {
    ...reversingSealer,
    async seal(secrets, correlationId) {
      await whileSealing();
      return reversingSealer.seal(secrets, correlationId);
    },
  };

  before(async () => {
    api = await startTestApi({ sealer });
    eyes = await openEyes(api.config);
    reader = openReader(api.config);
  });

  afterEach(() => {
    whileSealing = () => Promise.resolve();
  });

  after(async () => {
    await reader[Symbol.asyncDispose]();
    eyes[Symbol.dispose]();
    await api[Symbol.asyncDispose]();
  });

  const newFormula = async (body: object = formulaBody, key?: string): Promise<Body> =>
    (await api.send('POST /reactor-formulas', { body, ...(key === undefined ? {} : { key }) })).body;
  const bodyFor = (formula: Body) => ({ name: 'eu', formula: { id: formula.id }, configuration });
  const newReactor = async (formula: Body, more: object = {}): Promise<Body> => {
    const answer = await api.send('POST /reactors', { body: { ...bodyFor(formula), ...more } });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const lastEntry = async () => (await eyes.see()).marker?.lastEntry ?? 0;

  it('a reader finds by id all that running it needs, from the answer of its create on', async () => {
    const { body: application } = await api.send('GET /applications/key', { key: api.tenant.privateKey });
    const formula = await newFormula();
    const { id } = await newReactor(formula, { application });
    const record = await reader.reactorById(id);
    const { sealedConfiguration, ...rest } = record ?? { sealedConfiguration: {} };
    expect(rest).to.deep.equal({
      version: 1,
      id,
      tenantId: api.tenant.id,
      name: 'eu',
      applicationId: application.id,
      formulaId: formula.id,
      code,
      declaredConfiguration: [{ name: 'RETRIES', type: 'number' }],
      requestParameters: [
        { name: 'card.number', type: 'string', optional: false },
        { name: 'amount', type: 'number', optional: true },
      ],
      allowedDestinations: undefined,
      responseGuard: '',
    });
    expect(Object.keys(sealedConfiguration)).to.have.members(['RETRIES', 'REGION']);
    const sealed = Object.entries(sealedConfiguration).map(([name, bytes]) => ({
      place: { tenantId: api.tenant.id, recordId: id, field: `configuration.${name}` },
      sealed: Buffer.from(bytes),
    }));
    expect(await reversingSealer.open(sealed, '')).to.have.members(['3', 'eu']);
  });

  it('an update and a delete reach it too; without an application the id is empty', async () => {
    const formula = await newFormula();
    const { id } = await newReactor(formula);
    expect(await reader.reactorById(id)).to.include({ version: 1, applicationId: '' });
    await api.send(`PUT /reactors/${id}`, { body: { ...bodyFor(formula), name: 'again' } });
    expect(await reader.reactorById(id)).to.include({ version: 2, name: 'again' });
    await api.send(`DELETE /reactors/${id}`);
    expect(await reader.reactorById(id)).to.equal(undefined);
    expect(await eyes.find(reactorRecord(id))).to.deep.include({
      version: 3,
      record: { $case: 'tombstone', value: {} },
    });
  });

  it("a formula's change reaches all its reactors at once, and no other", async () => {
    const [formula, other] = [await newFormula(), await newFormula()];
    const mine = [await newReactor(formula), await newReactor(formula), await newReactor(formula)];
    const foreign = await newReactor(other);
    const before = await lastEntry();
    const body = { ...formulaBody, code: `${code};//2`, configuration: [], request_parameters: [] };
    expect((await api.send(`PUT /reactor-formulas/${formula.id}`, { body })).status).to.equal(200);
    expect(await lastEntry()).to.equal(before + 1);
    for (const { id } of mine) {
      const record = await reader.reactorById(id);
      expect(record).to.deep.include({ version: 2, declaredConfiguration: [], requestParameters: [] });
      expect(record?.code).to.equal(`${code};//2`);
      expect(Object.keys(record?.sealedConfiguration ?? {})).to.have.length(2);
    }
    expect(await reader.reactorById(foreign.id)).to.include({ version: 1, code });
    const { id } = mine[0] as Body;
    await api.send(`PUT /reactors/${id}`, { body: { ...bodyFor(formula), name: 'again' } });
    expect(await reader.reactorById(id)).to.include({ version: 3, code: `${code};//2` });
  });

  it('a formula that comes to declare what a reactor lacks is stored; the reactor is asked for it when it changes', async () => {
    const formula = await newFormula();
    const { id } = await newReactor(formula);
    const declared = [...formulaBody.configuration, { name: 'API_KEY', type: 'string' }];
    const body = { ...formulaBody, configuration: declared };
    expect((await api.send(`PUT /reactor-formulas/${formula.id}`, { body })).status).to.equal(200);
    expect((await reader.reactorById(id))?.declaredConfiguration).to.have.length(2);
    const answer = await api.send(`PUT /reactors/${id}`, { body: bodyFor(formula) });
    expect([answer.status, answer.body.errors]).to.deep.equal([
      400,
      { 'configuration.API_KEY': ['is required'] },
    ]);
  });

  it('a configuration has to fit the formula as it is when the reactor is stored', async () => {
    const formula = await newFormula();
    const { id } = await newReactor(formula);
    for (const request of ['POST /reactors', `PUT /reactors/${id}`]) {
      await api.send(`PUT /reactor-formulas/${formula.id}`, { body: formulaBody });
      const body = { ...formulaBody, configuration: [{ name: 'REGION', type: 'boolean' }] };
      whileSealing = () => api.send(`PUT /reactor-formulas/${formula.id}`, { body });
      const answer = await api.send(request, { body: bodyFor(formula) });
      expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['configuration.REGION']]);
      whileSealing = () => Promise.resolve();
    }
    whileSealing = () => api.send(`DELETE /reactor-formulas/${formula.id}`);
    await api.send(`DELETE /reactors/${id}`);
    await api.send(`PUT /reactor-formulas/${formula.id}`, { body: formulaBody });
    const answer = await api.send('POST /reactors', { body: bodyFor(formula) });
    expect([answer.status, Object.keys(answer.body.errors)]).to.deep.equal([400, ['formula.id']]);
  });

  it('changes of a formula and of its reactors at once come out as the database has them', async () => {
    const formula = await newFormula();
    const reactors = await Promise.all(Array.from({ length: 6 }, () => newReactor(formula)));
    const answers = await Promise.all(
      Array.from({ length: 36 }, (_, i) => {
        const { id } = reactors[i % 6] as Body;
        if (i === 35) return api.send(`DELETE /reactors/${id}`);
        return i % 3 === 0
          ? api.send(`PUT /reactor-formulas/${formula.id}`, { body: { ...formulaBody, code: `//${i}` } })
          : api.send(`PUT /reactors/${id}`, { body: { ...bodyFor(formula), name: `n${i}` } });
      }),
    );
    for (const { status, text } of answers) expect(status, text).to.be.oneOf([200, 204, 404]);
    await untilWhole(api.config, eyes);
    const { code: last = '' } = (await api.send(`GET /reactor-formulas/${formula.id}`)).body as Body & {
      code?: string;
    };
    for (const { id } of reactors.slice(0, 5)) {
      expect((await reader.reactorById(id))?.code).to.equal(last);
    }
  });

  it("a tenant's delete leaves no reactor behind", async () => {
    const { managementKey: key } = await api.newTenant();
    const formula = await newFormula(formulaBody, key);
    const { id } = (await api.send('POST /reactors', { key, body: bodyFor(formula) })).body;
    expect(await reader.reactorById(id)).to.include({ id });
    expect((await api.send('DELETE /tenants/self', { key })).status).to.equal(204);
    expect((await eyes.find(reactorRecord(id)))?.record?.$case).to.equal('tombstone');
    const left = await inDatabase(
      api.config.databaseUrl.reveal(),
      'SELECT id FROM reactors WHERE id = $1 UNION ALL SELECT id FROM reactor_formulas WHERE id = $2',
      [id, formula.id],
    );
    expect(left).to.deep.equal([]);
  });

  it('whatever is done to reactors and formulas while their tenant is deleted, nothing is left and nothing answers 500', async () => {
    for (let round = 0; round < 8; round += 1) {
      const tenant: TestTenant = await api.newTenant();
      const { managementKey: key } = tenant;
      const formula = await newFormula(formulaBody, key);
      const body = bodyFor(formula);
      const { id } = (await api.send('POST /reactors', { key, body })).body;
      const answers = await Promise.all([
        api.send('POST /reactors', { key, body }),
        api.send(`PUT /reactor-formulas/${formula.id}`, { key, body: formulaBody }),
        api.send(`PUT /reactors/${id}`, { key, body }),
        api.send('DELETE /tenants/self', { key }),
        api.send('POST /reactors', { key, body }),
        api.send('POST /reactor-formulas', { key, body: formulaBody }),
        api.send(`DELETE /reactor-formulas/${formula.id}`, { key }),
      ]);
      for (const { status, text } of answers) {
        expect(status, text).to.be.oneOf([200, 201, 204, 400, 401, 404, 409]);
      }
      expect(answers[3]?.status).to.equal(204);
      const { records } = await eyes.see();
      const ofTenant = [...records.values()].filter(
        ({ record }) => record?.$case === 'reactor' && record.value.tenantId === tenant.id,
      );
      expect(ofTenant).to.deep.equal([]);
    }
    await untilWhole(api.config, eyes);
  });

  it('250 large reactors follow their formula, in entries that Redis can take', async () => {
    const big = { ...formulaBody, code: `//${'x'.repeat(49_000)}` };
    const formula = await newFormula(big);
    const { id } = await newReactor(formula);
    await inDatabase(
      api.config.databaseUrl.reveal(),
      `INSERT INTO reactors (id, tenant_id, formula_id, name, sealed_configuration, version, created_by, created_at)
       SELECT gen_random_uuid(), tenant_id, formula_id, 'many', sealed_configuration, 1, created_by, created_at
         FROM reactors, generate_series(1, 249) WHERE id = $1`,
      [id],
    );
    const before = await lastEntry();
    const body = { ...big, name: 'renamed', code: `//${'y'.repeat(49_000)}` };
    const answer = await api.send(`PUT /reactor-formulas/${formula.id}`, { body });
    expect(answer.status, answer.text.slice(0, 500)).to.equal(200);
    expect((await lastEntry()) - before).to.be.within(2, 3);
    await untilWhole(api.config, eyes);
    const { records } = await eyes.see();
    const codes = [...records.values()].flatMap(({ record }) =>
      record?.$case === 'reactor' && record.value.formulaId === formula.id ? [record.value.code] : [],
    );
    expect(codes).to.have.length(250);
    expect(new Set(codes)).to.deep.equal(new Set([body.code]));
  });

  it('they are part of a rebuild', async () => {
    const { id } = await newReactor(await newFormula());
    await eyes.command('FLUSHALL');
    await untilWhole(api.config, eyes);
    expect(await reader.reactorById(id)).to.include({ id, version: 1 });
  });
});
