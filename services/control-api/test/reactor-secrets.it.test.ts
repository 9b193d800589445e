import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { inDatabase, newInstallation } from './harness/stores.ts';
import { type TestVault, startVault } from './harness/vault.ts';

const formulaBody = {
  type: 'private',
  name: 'charge',
  code: 'module.exports = async (req) => ({ raw: req.args })',
  configuration: [{ name: 'API_KEY', type: 'string' }],
};
const configuration = { API_KEY: 'sk_live', RETRIES: '3' };

describe("reactors' secrets, with a real vault", () => {
  let vault: TestVault;
  let api: TestApi;
  let formula: Body;

  before(async () => {
    const config = await newInstallation();
    vault = await startVault(config);
    api = await startTestApi({}, { ...config, vaultAddress: vault.address });
    formula = (await api.send('POST /reactor-formulas', { body: formulaBody })).body;
  });

  after(async () => {
    await api[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
  });

  const create = async (more: object = {}): Promise<Body> => {
    const body = { name: 'eu', formula: { id: formula.id }, configuration, ...more };
    const answer = await api.send('POST /reactors', { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };

  it('a configuration comes back in clear from create, get, list and update', async () => {
    const created = await create();
    expect(created.configuration).to.deep.equal(configuration);
    expect((await api.send(`GET /reactors/${created.id}`)).body).to.deep.equal(created);
    expect((await api.send(`GET /reactors?id=${created.id}`)).body.data).to.deep.equal([created]);
    const body = { name: 'eu', configuration: { API_KEY: 'sk_new' } };
    const { body: updated } = await api.send(`PUT /reactors/${created.id}`, { body });
    expect(updated.configuration).to.deep.equal({ API_KEY: 'sk_new' });
    expect((await api.send(`GET /reactors/${created.id}`)).body).to.deep.equal(updated);
  });

  it('no value of a configuration is in clear in the database', async () => {
    const { id } = await create({ configuration: { ...configuration, API_KEY: 'canary-91c2' } });
    const url = api.config.databaseUrl.reveal();
    const rows = await inDatabase<{ text: string }>(
      url,
      'SELECT r::text AS text FROM reactors r WHERE id = $1',
      [id],
    );
    const text = rows[0]?.text ?? '';
    expect(text).to.contain('API_KEY');
    for (const encoding of ['utf8', 'base64', 'hex'] as const) {
      expect(text).not.to.contain(Buffer.from('canary-91c2').toString(encoding));
    }
  });

  it('a value sealed for one reactor opens in no other', async () => {
    const [one, other] = [await create(), await create()];
    const url = api.config.databaseUrl.reveal();
    await inDatabase(
      url,
      `UPDATE reactors SET sealed_configuration = (SELECT sealed_configuration FROM reactors WHERE id = $1)
        WHERE id = $2`,
      [one.id, other.id],
    );
    expectProblem(await api.send(`GET /reactors/${other.id}`), 500);
    await api.send(`DELETE /reactors/${other.id}`);
  });

  it('while the vault is away what needs it answers 503, and nothing is stored', async () => {
    const config = await newInstallation();
    const own = await startVault(config);
    await using lone = await startTestApi({}, { ...config, vaultAddress: own.address });
    const { body: lonely } = await lone.send('POST /reactor-formulas', { body: formulaBody });
    const body = { name: 'r', formula: { id: lonely.id }, configuration };
    const { body: reactor } = await lone.send('POST /reactors', { body });
    await own.kill();
    expectProblem(await lone.send('POST /reactors', { body }), 503);
    expectProblem(await lone.send(`GET /reactors/${reactor.id}`), 503);
    expectProblem(await lone.send(`PUT /reactors/${reactor.id}`, { body }), 503);
    expect((await lone.send(`DELETE /reactors/${reactor.id}`)).status).to.equal(204);
    expect((await lone.send('GET /reactors')).body.pagination.total_items).to.equal(0);
  });
});
