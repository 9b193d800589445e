import { expect } from 'chai';

import { type Answer, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';

const code = 'module.exports = async (req) => ({ raw: req })';
const event = { args: { n: 1 } };

/** contract/dry-runs.md#trying-code */
describe('code that is tried', () => {
  let api: TestApi;
  before(async () => {
    api = await startTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const tried = (path: string, body: object, headers = {}) => api.send(`POST ${path}`, { body, headers });
  const ended = ({ status, text }: Answer) => {
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const keyWith = async (...permissions: string[]): Promise<string> => {
    const body = { name: 'a', type: 'management', permissions };
    return (await api.send('POST /applications', { body })).body.key;
  };

  it('runs with what it is given, as a formula or a transform', async () => {
    const configuration = { TEXT: 'a', NUMBER: 2, FLAG: true, NONE: null };
    const ofFormula = ended(await tried('/reactor-formulas/try', { code, event, configuration }));
    expect(ofFormula).to.deep.include({ outcome: 'returned', tried_to_reach: [], log: [] });
    expect(ofFormula['result']).to.deep.equal({
      raw: { args: { n: 1 }, configuration: { TEXT: 'a', NUMBER: 2, FLAG: true }, bt: null },
    });
    const transform = 'module.exports = async (req) => ({ body: Object.keys(req) })';
    for (const side of ['request', 'response', undefined]) {
      const { result } = ended(await tried('/proxies/try', { code: transform, event, side }));
      expect(result).to.deep.equal({ body: ['args', 'configuration'] });
    }
    const answer = await tried('/proxies/try', { code: 'module.exports = () => ({ a: 1 })', event });
    expect(ended(answer)).to.deep.include({ outcome: 'unusable_result', result: { a: 1 } });
  });

  it('shows numbers as the code wrote them', async () => {
    const digits = 'JSON.stringify = () => \'{"raw":12345678901234567890}\'';
    const { text } = await tried('/reactor-formulas/try', {
      code: `module.exports = () => { ${digits}; return {}; }`,
      event,
    });
    expect(text).to.satisfy(
      (all: string) => all.includes('12345678901234567890') || all.includes('"result":{}'),
    );
  });

  it('is answered with 200 and the place, where it does not parse', async () => {
    const given = ended(await tried('/reactor-formulas/try', { code: 'module.exports = (\n}', event }));
    expect(given).to.deep.include({ outcome: 'syntax_error', duration_ms: 0, memory_bytes: null });
    expect(given['error']).to.include({
      name: 'SyntaxError',
      message: "Unexpected token '}'",
      line: 2,
      column: 1,
    });
  });

  it('is refused with everything that is wrong', async () => {
    const worse: readonly (readonly [body: object, paths: string[]])[] = [
      [{}, ['code', 'event']],
      [{ code: '', event: { args: 1 } }, ['code', 'event.args']],
      [{ code, event: [], network: 'yes', side: 'x' }, ['event', 'network', 'side']],
      [{ code: 'x'.repeat(50_001), event, configuration: { a: {} } }, ['code', 'configuration.a']],
      [{ code, event, application: { id: api.tenant.id } }, ['application.id']],
      [{ code, event, application: { id: 'x' }, configuration: [] }, ['application.id', 'configuration']],
    ];
    for (const [body, paths] of worse) {
      const answer = await api.send('POST /proxies/try', { body, beyondDefaults: true });
      expectProblem(answer, 400);
      expect(answer.body.errors).to.have.all.keys(paths);
    }
  });

  it('needs one of the permissions to store it', async () => {
    const body = { code, event };
    for (const [path, kind] of [
      ['/proxies/try', 'proxy'],
      ['/reactor-formulas/try', 'reactor'],
    ] as const) {
      for (const verb of ['create', 'update']) {
        const key = await keyWith(`${kind}:${verb}`);
        expect((await api.send(`POST ${path}`, { key, body })).status).to.equal(200);
      }
      const key = await keyWith(`${kind}:read`, `${kind}:delete`);
      expectProblem(await api.send(`POST ${path}`, { key, body }), 403);
    }
  });

  it('is stored nowhere, not even as the answer to an idempotency key', async () => {
    const counts = async () =>
      Promise.all(
        ['/proxies', '/reactor-formulas', '/reactors'].map(
          async (path) => (await api.send(`GET ${path}`)).body.data.length,
        ),
      );
    const before = await counts();
    const now = 'module.exports = async () => ({ raw: process.hrtime.bigint().toString() })';
    const headers = { 'SVC-IDEMPOTENCY-KEY': 'the same' };
    const [first, second] = [
      await tried('/reactor-formulas/try', { code: now, event }, headers),
      await tried('/reactor-formulas/try', { code: now, event }, headers),
    ];
    expect(ended(first)['result']).to.not.deep.equal(ended(second)['result']);
    expect(await counts()).to.deep.equal(before);
  });
});
