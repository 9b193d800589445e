import { randomUUID } from 'node:crypto';

import { warningList } from '@glovebox/platform/http/warnings';
import { expect } from 'chai';

import { type Body, type TestApi, startTestApi } from './harness/api.ts';
import { expectProblem } from './harness/hostile.ts';
import { reversingSealer } from './harness/reversing-sealer.ts';
import { newInstallation } from './harness/stores.ts';
import { until } from './harness/until.ts';

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

  it('is stored whatever it does as it is loaded', async () => {
    for (const code of ['for (;;);', 'throw 1;', 'process.exit()', '"no function"', '// nothing']) {
      await create('/reactor-formulas', { ...formula, code });
    }
  });

  describe('that parses, and yet cannot be run,', () => {
    const strict = { 'SVC-Strict': 'true' };
    const placeholder = 'return raw;';
    const raw = 'fails as it loads: ReferenceError: raw is not defined (main.js:1:1)';
    const missing = "module.exports = () => 1; require('no-such-package');";
    before(async () => {
      // In a new checkout the runner bundles packages first, and until then says nothing of what code requires.
      await until(300_000, async () => {
        const body = { ...formula, code: good };
        expect((await api.send('POST /reactor-formulas', { body, headers: strict })).status).to.equal(201);
      });
    });

    const warningOf = async (request: string, body: object, status: number) => {
      const merge = request.startsWith('PATCH')
        ? { 'Content-Type': 'application/merge-patch+json' }
        : undefined;
      const answer = await api.send(request, { body, ...(merge === undefined ? {} : { headers: merge }) });
      expect(answer.status, answer.text).to.equal(status);
      const refused = await api.send(request, { body, headers: { ...merge, ...strict } });
      expectProblem(refused, 400);
      const [[path, problems] = []] = Object.entries(refused.body.errors);
      expect(answer.headers.get('svc-warning')).to.equal(warningList([`${path}: ${problems?.[0]}`]));
      return { [path ?? '']: problems?.[0] };
    };

    it('is stored as a formula with a warning, and refused to a strict caller', async () => {
      const body = { ...formula, code: placeholder };
      const before = await count('/reactor-formulas');
      expect(await warningOf('POST /reactor-formulas', body, 201)).to.deep.equal({ code: raw });
      expect(await count('/reactor-formulas')).to.equal(before + 1);
      const { id } = await create('/reactor-formulas', { ...formula, code: good });
      const nothing = { ...formula, code: '// nothing' };
      expect(await warningOf(`PUT /reactor-formulas/${id}`, nothing, 200)).to.deep.equal({
        code: 'module.exports must be a function',
      });
    });

    it('is reported of transforms under the path of each, in lists too, on create, update and patch', async () => {
      const { id } = await create('/proxies', proxy);
      const both = { ...proxy, request_transform: { code: good }, response_transform: { code: placeholder } };
      expect(await warningOf('POST /proxies', both, 201)).to.deep.equal({ 'response_transform.code': raw });
      const listed = { ...proxy, request_transforms: [{ type: 'code', code: placeholder }] };
      expect(await warningOf(`PUT /proxies/${id}`, listed, 200)).to.deep.equal({
        'request_transforms[0].code': raw,
      });
      const patch = { request_transform: { code: missing } };
      const found = await warningOf(`PATCH /proxies/${id}`, patch, 204);
      expect(found['request_transform.code']).to.match(
        /^fails as it loads: Error: Cannot find module 'no-such-package'/,
      );
    });

    it('is reported of a reactor’s own code, on create, update and patch', async () => {
      const { id } = await create('/reactors', { name: 'r', code: good });
      const body = { name: 'r', code: placeholder };
      expect(await warningOf('POST /reactors', body, 201)).to.deep.equal({ code: raw });
      expect(await warningOf(`PUT /reactors/${id}`, body, 200)).to.deep.equal({ code: raw });
      expect(await warningOf(`PATCH /reactors/${id}`, { code: placeholder }, 204)).to.deep.equal({
        code: raw,
      });
    });

    it('is reported beside names that are unknown, and again with an answer that is given again', async () => {
      const body = { ...formula, code: placeholder, nmae: 'x' };
      const headers = { 'SVC-IDEMPOTENCY-KEY': randomUUID() };
      for (const _ of [1, 2]) {
        const answer = await api.send('POST /reactor-formulas', { body, headers });
        expect(answer.headers.get('svc-warning')).to.equal(
          `"unknown property nmae, did you mean name?", "code: ${raw}"`,
        );
      }
    });
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
