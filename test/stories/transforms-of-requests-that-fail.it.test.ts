import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { expectProblem, transformStory } from '../harness/transform-story.ts';

const form = 'application/x-www-form-urlencoded';

/** contract/transforms.md#results-of-code and contract/errors.md#proxy-errors: the destination gets nothing. */
describe('a request transform that fails reaches no destination:', () => {
  const story = transformStory();
  const { onRequest, post } = story;

  const failures: [what: string, code: string, status: number, text: RegExp][] = [
    ['it throws', "() => { throw new TypeError('nope'); }", 500, /Reactor Runtime Error.*|nope \(main\.js:1/],
    ['it rejects', "async () => { throw 'plain'; }", 500, /plain/],
    ['it is no function', '{ a: 1 }', 422, /must be a function/],
    ['it returns nothing', '() => {}', 500, /returned undefined/],
    ['it returns null', '() => null', 500, /returned null/],
    ['it returns an array', '() => []', 500, /returned an array/],
    ['it returns text', "() => 'x'", 500, /returned a string/],
    ['it returns what it was to change', '(req) => req.args.body', 500, /with neither of them/],
    ['it returns an empty object', '() => ({})', 500, /with neither of them/],
    ['it returns a cycle', '() => { const a = {}; a.a = a; return a; }', 500, /circular/i],
    ['its headers are text', "() => ({ headers: 'x' })", 500, /headers that are not an object/],
    ['a header is an object', '() => ({ headers: { A: {} } })', 500, /a header A that is neither/],
    ['a header is true', '() => ({ headers: { A: true } })', 500, /a header A that is neither/],
    ['a header splits', "() => ({ headers: { A: 'x\\r\\nB: y' } })", 500, /A with characters/],
    ['a header is no Latin-1', "() => ({ headers: { A: '€' } })", 500, /A with characters/],
    ['a header has no name', "() => ({ headers: { '': 'x' } })", 500, /name is not valid/],
    ['a name has a space', "() => ({ headers: { 'A B': 'x' } })", 500, /name is not valid/],
    ['headers are too many', "() => ({ headers: { A: 'x'.repeat(40000) } })", 500, /more than 32768/],
    [
      'an object for another type',
      "() => ({ headers: { 'Content-Type': 'text/xml' }, body: {} })",
      500,
      /neither JSON nor a form/,
    ],
    [
      'no form',
      `() => ({ headers: { 'Content-Type': '${form}' }, body: { a: {} } })`,
      500,
      /no form can hold/,
    ],
  ];
  for (const [what, code, status, text] of failures) {
    it(what, async () => {
      expectProblem(await post(await onRequest(code)), status, text);
      expect(story.destination.received).to.have.length(0);
    });
  }

  it('its error names itself a status', async () => {
    const proxy = await onRequest(`({ args }) => {
      class AuthenticationError extends Error {
        constructor(errors) {
          super('Authentication Failed');
          Object.assign(this, { name: 'AuthenticationError', status: 401, errors });
        }
      }
      if (!args.headers['X-PARTNER-KEY'])
        throw new AuthenticationError({ error: ['X-PARTNER-KEY header is required'] });
      return args;
    }`);
    const answer = await post(proxy);
    expect(answer.status).to.equal(401);
    expect(answer.json).to.have.all.keys('proxy_error');
    expect(answer.json.proxy_error).to.deep.include({
      errors: { error: ['X-PARTNER-KEY header is required'] },
      title: 'One or more validation errors occurred.',
      status: 401,
      detail: 'Authentication Failed',
      code: 'unauthenticated',
    });
    expect(story.destination.received).to.have.length(0);
    expect((await post(proxy, { headers: { 'X-PARTNER-KEY': 'k' }, body: {} })).status).to.equal(200);
  });

  it('it throws a whole response', async () => {
    const proxy = await onRequest(`() => {
      throw Object.assign(new Error(), {
        name: 'CustomHttpResponseError', status: 402,
        headers: { 'X-Own': 'yes', 'Content-Length': '1', 'SVC-TRACE-ID': 'forged' }, body: { own: ['body'] },
      });
    }`);
    const answer = await post(proxy);
    expect(answer.status).to.equal(402);
    expect(answer.text).to.equal('{"own":["body"]}');
    expect(answer.headers).to.include({ 'x-own': 'yes', 'content-type': 'application/json' });
    expect(answer.headers['svc-trace-id']).to.be.a('string').and.not.equal('forged');
    expect(story.destination.received).to.have.length(0);
  });

  it('the body is of another type', async () => {
    const proxy = await onRequest('({ args }) => args');
    for (const type of ['text/plain', 'application/xml', 'image/png', 'application/json; charset=utf-16']) {
      const answer = await post(proxy, { headers: { 'Content-Type': type }, body: '{}' });
      expectProblem(answer, 415, /request transform/);
    }
    expect(story.destination.received).to.have.length(0);
  });

  it('the body is too large', async () => {
    const proxy = await onRequest('({ args }) => args');
    expectProblem(await post(proxy, { body: { a: 'x'.repeat(1_100_000) } }), 413, /at most/);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const bomb = gzipSync(JSON.stringify({ a: 'x'.repeat(3_000_000) }));
    expectProblem(await post(proxy, { headers, body: bomb }), 413, /at most/);
    expect(story.destination.received).to.have.length(0);
  });

  it('the body is no JSON', async () => {
    const proxy = await onRequest('({ args }) => args');
    const headers = { 'Content-Type': 'application/json' };
    expect((await post(proxy, { headers, body: '{"a":1},"path":"x"' })).status).to.equal(400);
    expect(story.destination.received).to.have.length(0);
  });
});
