import { expect } from 'chai';

import type { Json } from '../../harness/api.ts';
import { describeOfficialClient, refusal } from '../../harness/official-client.ts';
import { type System, sharedSystem } from '../../harness/system.ts';

const code = `module.exports = async ({ args, configuration }) =>
  ({ raw: { args, secret: configuration.SOME_KEY }, tokenize: { kept: args.card_number } })`;

describeOfficialClient('reactors', ({ major, connect }) => {
  let system: System;
  let owner: Json;
  let bt: Json;
  before(async () => {
    system = await sharedSystem();
    owner = await connect(system, system.dev.management_api_key);
    bt = await connect(system, system.dev.private_api_key);
  });

  const formulaModel = {
    name: `formula of client ${major}`,
    description: 'says what it got',
    type: 'private',
    code,
    configuration: [{ name: 'SOME_KEY', description: 'a secret', type: 'string' }],
    requestParameters: [
      { name: 'card_number', type: 'string' },
      { name: 'amount', type: 'number', optional: true },
    ],
  };

  it('have formulas, which are created, read, listed, changed and deleted', async () => {
    const made = await owner.reactorFormulas.create(formulaModel);
    const { name, description, configuration } = formulaModel;
    expect(made).to.deep.include({
      name,
      description,
      code,
      configuration,
      type: 'private',
      status: 'verified',
    });
    expect(made.requestParameters).to.have.length(2);
    expect(made.requestParameters[1]).to.deep.include({ name: 'amount', type: 'number', optional: true });
    expect(await owner.reactorFormulas.retrieve(made.id)).to.deep.include({ id: made.id, code });
    const { data } = await owner.reactorFormulas.list({ name: formulaModel.name, size: 100 });
    expect(data.map(({ id }: Json) => id)).to.include(made.id);
    const changed = await owner.reactorFormulas.update(made.id, { ...formulaModel, name: 'other' });
    expect(changed).to.include({ id: made.id, name: 'other' });
    await owner.reactorFormulas.delete(made.id);
    expect((await refusal(owner.reactorFormulas.retrieve(made.id))).status).to.equal(404);
  });

  const reactor = async () => {
    const formula = await owner.reactorFormulas.create(formulaModel);
    const application = await owner.applications.create({
      name: 'of the reactor',
      type: 'private',
      permissions: ['token:create'],
    });
    return await owner.reactors.create({
      name: `reactor of client ${major}`,
      configuration: { SOME_KEY: 'abc' },
      formula: { id: formula.id },
      application: { id: application.id },
    });
  };

  it('are created, read, listed, changed and deleted', async () => {
    const made = await reactor();
    expect(made).to.deep.include({
      tenantId: system.dev.tenant_id,
      name: `reactor of client ${major}`,
      configuration: { SOME_KEY: 'abc' },
    });
    expect(made.formula).to.include({ code, name: formulaModel.name });
    expect(made.application).to.include({ name: 'of the reactor' }).and.to.not.have.property('key');
    expect(await owner.reactors.retrieve(made.id)).to.deep.include({
      id: made.id,
      configuration: { SOME_KEY: 'abc' },
    });
    const page = await owner.reactors.list({ id: [made.id], name: 'reactor of*', page: 1, size: 3 });
    expect(page.data.map(({ id }: Json) => id)).to.deep.equal([made.id]);
    const changed = await owner.reactors.update(made.id, {
      name: 'other',
      configuration: { SOME_KEY: 'def' },
    });
    expect(changed).to.deep.include({ id: made.id, name: 'other', configuration: { SOME_KEY: 'def' } });
    await owner.reactors.delete(made.id);
    expect((await refusal(owner.reactors.retrieve(made.id))).status).to.equal(404);
  });

  if (major === 4) {
    it('are patched', async () => {
      const { id } = await reactor();
      await owner.reactors.patch(id, { name: 'patched' });
      expect(await owner.reactors.retrieve(id)).to.deep.include({
        name: 'patched',
        configuration: { SOME_KEY: 'abc' },
      });
    });
  }

  it('run on detokenized arguments and answer raw values and new tokens', async () => {
    const { id } = await reactor();
    const token = await bt.tokens.create({ type: 'card_number', data: '4242424242424242' });
    const args = { card_number: `{{ ${token.id} }}`, amount: '12.5', undeclared: 1 };
    const answer = await bt.reactors.react(id, { args });
    expect(answer.raw).to.deep.equal({
      args: { card_number: '4242424242424242', amount: 12.5 },
      secret: 'abc',
    });
    expect((await bt.tokens.retrieve(answer.tokens.kept)).data).to.equal('4242424242424242');
  });

  it('say what failed', async () => {
    const { id } = await reactor();
    const error = await refusal(bt.reactors.react(id, { args: {} }));
    expect(error).to.include({ name: 'BasisTheoryApiError', status: 400 });
    expect(JSON.stringify(error.data.errors)).to.contain('card_number');
  });
});
