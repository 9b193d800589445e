import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';

const good = 'module.exports = async (req) => req.args;';
const bad = 'module.exports = function () {\n  const a = 1;\n}}';
const badText = "SyntaxError: Unexpected token '}' (main.js:3:2)";
const proxy = { name: 'p', destination_url: 'https://example.com' };
const formula = { type: 'private', name: 'f' };

describe('code', () => {
  let api: TestApi;
  before(async () => {
    api = await startTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const create = async (path: string, body: object): Promise<Body> => {
    const answer = await api.send(`POST ${path}`, { body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };
  const errorsOf = async (request: string, body: object) => {
    const answer = await api.send(request, { body });
    expectProblem(answer, 400);
    return answer.body.errors;
  };
  const count = async (path: string) => (await api.send(`GET ${path}`)).body.pagination.total_items;

  it('of a formula that does not parse is refused with line and column, beside all else that is wrong', async () => {
    const before = await count('/reactor-formulas');
    const body = { ...formula, code: bad };
    expect(await errorsOf('POST /reactor-formulas', body)).to.deep.equal({ code: [badText] });
    const worse = { ...body, name: '', configuration: [{ name: 'a' }] };
    expect(await errorsOf('POST /reactor-formulas', worse)).to.have.all.keys(
      'name',
      'code',
      'configuration[0].type',
    );
    expect(await count('/reactor-formulas')).to.equal(before);
  });

  it('of both transforms that do not parse is refused under the path of each, beside all else that is wrong', async () => {
    const before = await count('/proxies');
    const transforms = { request_transform: { code: bad }, response_transform: { code: 'return (' } };
    expect(await errorsOf('POST /proxies', { ...proxy, ...transforms })).to.deep.equal({
      'request_transform.code': [badText],
      'response_transform.code': ['SyntaxError: Unexpected end of input (main.js:1:9)'],
    });
    const worse = { ...transforms, name: 1, destination_url: 'x', application: { id: 'x' } };
    expect(await errorsOf('POST /proxies', worse)).to.have.all.keys(
      'name',
      'destination_url',
      'application.id',
      'request_transform.code',
      'response_transform.code',
    );
    expect(await count('/proxies')).to.equal(before);
  });

  it('is checked on an update too, which then changes nothing', async () => {
    const { id: formulaId } = await create('/reactor-formulas', { ...formula, code: good });
    expect(await errorsOf(`PUT /reactor-formulas/${formulaId}`, { ...formula, code: bad })).to.deep.equal({
      code: [badText],
    });
    expect((await api.send(`GET /reactor-formulas/${formulaId}`)).body).to.include({ code: good });

    const transforms = { request_transform: { code: good }, response_transform: { code: good } };
    const { id } = await create('/proxies', { ...proxy, ...transforms });
    const body = { ...proxy, ...transforms, response_transform: { code: bad } };
    expect(await errorsOf(`PUT /proxies/${id}`, body)).to.have.all.keys('response_transform.code');
    expect((await api.send(`GET /proxies/${id}`)).body).to.deep.include(transforms);
  });

  it('is not run: what it would do when it is loaded does not matter', async () => {
    for (const code of ['for (;;);', 'throw 1;', 'process.exit()', '"no function"', '// nothing']) {
      await create('/reactor-formulas', { ...formula, code });
    }
  });

  const bombs = {
    '50 000 brackets': '['.repeat(50_000),
    '16 000 nested arrow functions': 'a=>'.repeat(16_000),
    '4 000 nested functions': '(function(){'.repeat(4000),
  };
  for (const [name, code] of Object.entries(bombs)) {
    it(`of ${name} is a 400 in good time, and other code is checked as before`, async () => {
      const startedAt = performance.now();
      expect(await errorsOf('POST /reactor-formulas', { ...formula, code })).to.deep.equal({
        code: ['SyntaxError: The code is nested too deeply or too long to be compiled.'],
      });
      expect(performance.now() - startedAt).to.be.lessThan(5000);
      await create('/reactor-formulas', { ...formula, code: good });
    });
  }

  it('of a regular expression that is hard to match is let in: nothing is matched', async () => {
    await create('/reactor-formulas', { ...formula, code: `/${'(a{0,65535}){0,65535}'.repeat(2000)}/` });
  });

  describe('while the runner is away', () => {
    let lonely: TestApi;
    before(async () => {
      const config = { ...(await newInstallation()), runnerAddress: '127.0.0.1:1' };
      lonely = await startTestApi({ sealer: reversingSealer }, config);
    });
    after(() => lonely[Symbol.asyncDispose]());

    it('is not stored: 503 in good time', async () => {
      const { id } = (await lonely.send('POST /proxies', { body: proxy })).body;
      const transform = { request_transform: { code: good } };
      for (const [request, body] of [
        ['POST /reactor-formulas', { ...formula, code: good }],
        ['POST /proxies', { ...proxy, ...transform }],
        [`PUT /proxies/${id}`, { ...proxy, ...transform }],
      ] as const) {
        const startedAt = performance.now();
        const answer = await lonely.send(request, { body });
        expectProblem(answer, 503);
        expect(answer.headers.get('retry-after')).to.equal('1');
        expect(answer.body.detail).to.equal('The runner, which checks the code, cannot be reached.');
        expect(performance.now() - startedAt).to.be.lessThan(6000);
      }
      expect((await lonely.send('GET /reactor-formulas')).body.data).to.deep.equal([]);
      const { data } = (await lonely.send('GET /proxies')).body;
      expect(data).to.have.length(1);
      expect(data[0]).not.to.have.any.keys('request_transform');
    });

    it('that is too long is refused all the same: it is not sent', async () => {
      const body = { ...formula, code: ' '.repeat(50_001) };
      expectProblem(await lonely.send('POST /reactor-formulas', { body }), 400);
    });
  });
});
