import { createHmac } from 'node:crypto';

import { expect } from 'chai';

import type { Sent } from '../harness/api.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';

/** contract/expressions.md#contexts and contract/expressions.md#substitution, over the whole system. */
describe('expressions over configuration', () => {
  const story = transformStory();
  const { post, only, onlyJson } = story;
  const proxyWith = (more: object) => story.api.proxy(story.destination.url, more);
  const configuration = { API_KEY: 'sesame', limit: '42' };

  it('put secrets of a proxy into its requests, beside tokens', async () => {
    const id = await story.api.token({ type: 'token', data: 'secret' });
    const proxy = await proxyWith({ configuration });
    const body = {
      a: '{{ config: API_KEY }}',
      b: 'x{{config:API_KEY | upcase}}',
      c: '{{ config: limit | to_number }}',
      d: `{{ ${id} }}`,
    };
    await post(proxy, { body });
    expect(onlyJson()).to.deep.equal({ a: 'sesame', b: 'xSESAME', c: 42, d: 'secret' });
  });

  it('reach headers and configuration as variables, from a body', async () => {
    const proxy = await proxyWith({ configuration });
    const body = {
      date: '{{ proxy.request.headers.X-Date }}',
      key: "{{ proxy | json: '$.config.API_KEY' | last4 }}",
      none: '{{ proxy.request.body }}',
    };
    await post(proxy, { body, headers: { 'X-Date': '2026-01-02' } });
    expect(onlyJson()).to.deep.equal({ date: '2026-01-02', key: 'same', none: null });
    expectProblem(await post(proxy, { body: { a: '{{ res.number }}' } }), 400, /res are not supported/);
  });

  it('put secrets and signatures into headers, in which tokens are not reached', async () => {
    const id = await story.api.token({ type: 'token', data: 'secret' });
    const proxy = await proxyWith({ configuration });
    await post(proxy, {
      body: { card: `{{ ${id} }}` },
      headers: {
        Authorization: 'Bearer {{ config: API_KEY }}',
        'X-Date': '2026-01-02',
        'X-Signed-Date': "{{ proxy | json: '$.request.headers.X-Date' }}",
        'X-Signature': "{{ proxy.request.body | hmac: 'sha-256', proxy.config.API_KEY | to_base64 }}",
        'X-Token': `{{ ${id} }}`,
      },
    });
    const { headers, body } = only();
    expect(body.toString()).to.equal('{"card":"secret"}');
    expect(headers).to.include({
      authorization: 'Bearer sesame',
      'x-signed-date': '2026-01-02',
      'x-signature': createHmac('sha256', 'sesame').update(body).digest('base64'),
      'x-token': `{{ ${id} }}`,
    });
  });

  it('are refused where nothing of the name is there, and never sent', async () => {
    const proxy = await proxyWith({ configuration: { LINES: 'a\r\nX-Injected: 1' } });
    expectProblem(await post(proxy, { body: { a: '{{ config: NOPE }}' } }), 400, /no entry \\"NOPE\\"/);
    const header = (text: string) => post(proxy, { body: {}, headers: { 'X-A': text } });
    expectProblem(await header('{{ config: NOPE }}'), 400, /no entry \\"NOPE\\"/);
    expectProblem(await header('{{ config: LINES }}'), 400, /header X-A would hold characters/);
    expectProblem(
      await header('{{ config: LINES'),
      400,
      /header X-A holds an expression that cannot be read/,
    );
    expectProblem(await header('{{ proxy.request.body | nope }}'), 400, /unknown filter/);
    expect(story.destination.received).to.have.length(0);
  });

  it('are refused to anonymous callers, and to a body that cannot be signed', async () => {
    const proxy = await proxyWith({ configuration, require_auth: false });
    const anonymous = (sent: Sent) =>
      story.api.send('POST', '/proxy', { ...sent, headers: { 'SVC-PROXY-KEY': proxy.key, ...sent.headers } });
    expectProblem(await anonymous({ body: { a: '{{ config: limit }}' } }), 401, /anonymous/);
    expectProblem(await anonymous({ body: {}, headers: { 'X-A': '{{ config: limit }}' } }), 401, /anonymous/);
    const binary = { 'Content-Type': 'application/octet-stream', 'X-A': '{{ proxy.request.body }}' };
    expectProblem(await post(proxy, { body: Buffer.from([1, 2]), headers: binary }), 413, /binary or larger/);
  });

  it('reach the configuration of a reactor from its arguments', async () => {
    const reactor = await createReactor(
      story.api,
      'async (req) => ({ raw: req.args })',
      { parameters: { n: 'number', s: 'string' }, settings: { LIMIT: 'number', NAME: 'string' } },
      { configuration: { LIMIT: 7, NAME: 'ledger' } },
    );
    const react = (args: object) =>
      story.api.send('POST', `/reactors/${reactor.id}/react`, { key: story.key, body: { args } });
    const answer = await react({ n: '{{ config: LIMIT }}', s: 'of {{ config: NAME | upcase }}' });
    expect(answer.json.raw, answer.text).to.deep.equal({ n: 7, s: 'of LEDGER' });
    expect((await react({ n: '{{ config: NOPE }}', s: '' })).status).to.equal(400);
  });
});
