import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

const good = 'module.exports = async (req) => ({ raw: req.args });';
const bad = 'module.exports = async (req) => {\n  return { raw: req.args };\n}}';
const problem = "SyntaxError: Unexpected token '}' (main.js:3:2)";

/** Code is compiled when it is stored, and a mistake is shown where it is. */
describe('code that does not parse is never stored', () => {
  let api: ReturnType<typeof apiOf>;
  before(async () => {
    api = apiOf(await sharedSystem());
  });

  it('as a formula: 400 with line and column, on create and update', async () => {
    const formula = { type: 'private', name: 'checked', configuration: [], request_parameters: [] };
    const created = await api.manage('POST', '/reactor-formulas', { ...formula, code: good });
    expect(created.status, created.text).to.equal(201);
    for (const [method, path] of [
      ['POST', '/reactor-formulas'],
      ['PUT', `/reactor-formulas/${created.json.id}`],
    ] as const) {
      const answer = await api.manage(method, path, { ...formula, code: bad });
      expect(answer.json).to.deep.include({
        errors: { code: [problem] },
        title: 'One or more validation errors occurred.',
        status: 400,
        detail: `code: ${problem}`,
      });
    }
    expect((await api.manage('GET', `/reactor-formulas/${created.json.id}`)).json.code).to.equal(good);
  });

  it('as a transform: 400 under its own path, with all else that is wrong, and the proxy goes on as it was', async () => {
    const transform = { request_transform: { code: good }, response_transform: { code: good } };
    const proxy: Json = await api.proxy('https://example.com', transform);
    const body = { name: '', destination_url: 'https://example.com', ...transform };
    const answer = await api.manage('PUT', `/proxies/${proxy.id}`, {
      ...body,
      response_transform: { code: bad },
    });
    expect(answer.status).to.equal(400);
    expect(answer.json.errors).to.deep.equal({
      name: ['must not be empty'],
      'response_transform.code': [problem],
    });
    expect((await api.manage('GET', `/proxies/${proxy.id}`)).json).to.deep.include(transform);
  });
});
