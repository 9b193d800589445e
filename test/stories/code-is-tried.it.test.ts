import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** contract/dry-runs.md#trying-code, through the edge and with a real vault. */
describe('code that is tried', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
  });

  const tried = async (body: object, path = '/reactor-formulas/try'): Promise<Json> => {
    const answer = await api.manage('POST', path, { event: { args: {} }, ...body });
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };

  const code = `module.exports = async ({ args, bt }) => {
    const made = await bt.tokens.create({ type: 'token', data: 'of a trial' });
    const read = await bt.tokens.retrieve(made.id).catch(({ status }) => status);
    return { raw: { id: made.id, by: made.createdBy, read } };
  };`;

  it('acts as the application that it names with a network, and without an identity otherwise', async () => {
    const application = await api.application({ name: 't', type: 'private', permissions: ['token:create'] });
    const body = { code, application: { id: application.id } };
    const refused = await tried(body);
    expect(refused).to.deep.include({ outcome: 'threw', tried_to_reach: ['bt POST /tokens'] });
    expect(refused.error.message).to.include('403');

    for (const path of ['/reactor-formulas/try', '/proxies/try']) {
      const { result, outcome, error } = await tried({ ...body, network: true }, path);
      expect(outcome, JSON.stringify(error)).to.equal(
        path === '/proxies/try' ? 'unusable_result' : 'returned',
      );
      expect(result.raw).to.deep.include({ by: application.id, read: 403 });
      const { status } = await api.send('DELETE', `/tokens/${result.raw.id}`, {
        key: system.dev.private_api_key,
      });
      expect(status).to.equal(204);
    }
  });

  it('invokes reactors as that application, and ends where that may not', async () => {
    const inner = await api.manage('POST', '/reactors', {
      name: 'inner',
      code: 'module.exports = async (req) => ({ raw: req.args })',
    });
    const invokes = `module.exports = async ({ args, bt }) =>
      ({ raw: await bt.reactors.react(args.id, { args: { a: 1 } }).catch(({ status }) => status) });`;
    const event = { args: { id: inner.json.id } };
    for (const [permissions, raw] of [
      [['token:use'], { raw: { a: 1 } }],
      [['token:create'], 403],
    ] as const) {
      const { id } = await api.application({ name: 't', type: 'private', permissions });
      const { result } = await tried({ code: invokes, event, application: { id }, network: true });
      expect(result.raw).to.deep.equal(raw);
    }
  });
});
