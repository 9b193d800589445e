import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { sharedSystem } from '../harness/system.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';

const json = 'application/json';

/** contract/transforms.md#types, over the whole system. */
describe('transforms in lists', () => {
  const story = transformStory();
  const { post, answering, onlyJson } = story;
  const proxyWith = (more: object) => story.api.proxy(story.destination.url, more);
  const responding = (...response_transforms: object[]) => proxyWith({ response_transforms });
  const code = (body: string) => ({ type: 'code', code: `module.exports = ({ args }) => (${body})` });
  const mask = (expression: string, replacement = '*') => ({
    type: 'mask',
    matcher: 'regex',
    expression,
    replacement,
  });
  const tokenize = (identifier: string, token: object) => ({
    type: 'tokenize',
    options: { identifier, token },
  });
  const append = (type: string, value: unknown, location?: string) => ({
    type: `append_${type}`,
    options: { value, location },
  });

  it('are shown as they were sent, and run in their order, on both sides', async () => {
    answering(json, '{"n":1}');
    const sent = {
      request_transforms: [code('{ headers: args.headers, body: { was: args.body } }')],
      response_transforms: [
        append('json', { id: 7 }, '$.made'),
        code("{ headers: { ...args.headers, 'X-Saw': String(args.body.made.id) }, body: args.body }"),
        mask('"id":(\\d)'),
        append('header', 'literal', 'X-Added'),
        append('text', '\n'),
      ],
    };
    const proxy = await proxyWith(sent);
    expect(JSON.parse(JSON.stringify(proxy))).to.deep.include(JSON.parse(JSON.stringify(sent)));
    const answer = await post(proxy, { body: { a: 1 } });
    expect(onlyJson()).to.deep.equal({ was: { a: 1 } });
    expect(answer.text).to.equal('{"n":1,"made":{"id":*}}\n');
    expect(answer.headers).to.include({ 'x-saw': '7', 'x-added': 'literal' });
    expect(answer.headers['content-length']).to.equal(String(answer.text.length));
  });

  it('mask what groups capture wherever it is in the match, in any text, whatever its encoding', async () => {
    const cases = [
      ['zz1zz2zz', '^(zz).*$', '**1**2**'],
      ['{"acct": "90817263"}', String.raw`"acct":\s*"(.*?)"`, '{"acct": "********"}'],
      ['pan 4242424242424242 x', undefined, 'pan **************** x'],
    ] as const;
    for (const [text, expression, masked] of cases) {
      answering('text/plain', gzipSync(text), { 'Content-Encoding': 'gzip' });
      const preset = { type: 'mask', matcher: 'chase_stratus_pan', replacement: '*' };
      const answer = await post(await responding(expression === undefined ? preset : mask(expression)));
      expect(answer.text).to.equal(masked);
      expect(answer.headers).to.not.have.property('content-encoding');
    }
  });

  it('mask nothing but successes, and end a pattern that takes for ever, without the response', async () => {
    const proxy = await proxyWith({ response_transform: mask('^(a+)+$') });
    expect(proxy.response_transform).to.deep.equal(mask('^(a+)+$'));
    answering('text/plain', `${'a'.repeat(60)}secret!`);
    const answer = await post(proxy);
    expectProblem(answer, 500, /more processor time than its limit of 2 seconds/);
    expect(answer.text).to.not.include('secret');
    answering('application/octet-stream', Buffer.alloc(1_000_000, 1));
    expectProblem(await post(proxy), 502, /too large to be masked/);
    answering('text/plain', 'aaa', {}, 404);
    expect((await post(proxy)).text).to.equal('aaa');
  });

  it('make tokens as the caller, and report where they are', async () => {
    answering(json, '{"number":"4242424242424242","expiration_month":12,"expiration_year":2050}');
    const proxy = await responding(
      tokenize('card', { type: 'card', data: '{{ res }}' }),
      append('json', "{{ transform_identifier: 'card' | json: '$.id' }}", '$.card_token_id'),
      append('header', "{{ transform_identifier: 'card' | json: '$.type' }}", 'X-Type'),
      code('{ headers: args.headers, body: { id: args.body.card_token_id } }'),
    );
    const answer = await post(proxy);
    expect(answer.headers['x-type'], answer.text).to.equal('card');
    expect(Object.keys(answer.json)).to.deep.equal(['id']);
    const { json: token } = await story.api.send('GET', `/tokens/${answer.json.id}`, { key: story.key });
    expect(token).to.include({ type: 'card', id: answer.json.id });
  });

  it('make tokens of a request before it is sent, for both sides', async () => {
    const proxy = await proxyWith({
      configuration: { OWNER: 'ann' },
      request_transforms: [
        tokenize('whole', {
          type: 'token',
          data: '{{ proxy.request.body }}',
          metadata: { by: '{{ config: OWNER }}' },
        }),
      ],
      response_transform: append('json', "{{ transform_identifier: 'whole' | json: '$.id' }}", '$.id'),
    });
    const answer = await post(proxy, { body: '{"a":1}' });
    expect(onlyJson()).to.deep.equal({ a: 1 });
    const { json: token } = await story.api.send('GET', `/tokens/${answer.json.id}`, { key: story.key });
    expect(token.metadata, answer.text).to.deep.equal({ by: 'ann' });
  });

  it('give nothing of the response where one of them fails', async () => {
    answering(json, '{"secret":"s3cret"}');
    const failing = [
      [tokenize('t', { type: 'card', data: '{{ res.secret }}' }), 400, /data/],
      [append('json', '{{ res.secret | to_number }}', '$.a'), 400, /to_number/],
      [append('json', 1, '$.secret.below'), 502, /no place/],
      [append('text', "{{ transform_identifier: 'none' }}"), 400, /Nothing was made under/],
      [append('header', 'a\nb', 'X-A'), 500, /HTTP cannot carry/],
    ] as const;
    for (const [step, status, problem] of failing) {
      const answer = await post(await responding(step));
      expectProblem(answer, status, problem);
      expect(answer.text).to.not.include('s3cret');
    }
    answering(json, `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    for (const step of [append('json', 1, '$[0]'), append('header', '{{ res }}', 'X-A')]) {
      expectProblem(await post(await responding(step)), 502, /JSON that is not valid/);
    }
    answering('text/plain', 's3cret');
    expectProblem(await post(await responding(append('json', 1, '$.a'))), 415, /answered with none/);
  });

  it('are refused with every problem named', async () => {
    const { status, json: problem } = await story.api.manage('POST', '/proxies', {
      name: 'x',
      destination_url: 'https://example.org',
      request_transform: { code: 'module.exports = 1' },
      request_transforms: [mask('(a)'), tokenize('', { data: '{{ some-token-id }}' })],
      response_transforms: [
        code('1'),
        { ...mask('a'), replacement: '**' },
        mask('(a'),
        { type: 'mask', matcher: 'chase_stratus_pan', expression: '(a)', replacement: '*' },
        { ...code('2'), matcher: 'regex' },
        code('3'),
        append('json', 1, '$..a'),
        append('header', '{{ encrypted }}', 'SVC-API-KEY'),
        tokenize('a', {}),
        tokenize('a', {}),
      ],
    });
    expect(status).to.equal(400);
    expect(problem.errors).to.have.all.keys(
      'request_transforms',
      'request_transforms[0].type',
      'request_transforms[1].options.identifier',
      'request_transforms[1].options.token',
      'response_transforms[1].expression',
      'response_transforms[1].replacement',
      'response_transforms[2].expression',
      'response_transforms[3].expression',
      'response_transforms[4].matcher',
      'response_transforms[5].type',
      'response_transforms[6].options.location',
      'response_transforms[7].options.value',
      'response_transforms[7].options.location',
      'response_transforms[9].options.identifier',
    );
  });

  it('show their caller nothing of the configuration, or of the request that tokens were put into', async () => {
    for (const value of [
      '{{ proxy.request.headers.Echo }}',
      '{{ config: K }}',
      '{{ res | append: proxy.config.K }}',
    ]) {
      const { status, json: problem } = await story.api.manage('POST', '/proxies', {
        name: 'x',
        destination_url: 'https://example.org',
        configuration: { K: 'secret' },
        response_transform: append('header', value, 'X-Echo'),
      });
      expect(status, value).to.equal(400);
      expect(Object.keys(problem.errors)).to.deep.equal(['response_transform.options.value']);
    }
  });

  it('are changed in part', async () => {
    const proxy = await responding(append('text', 'a'));
    const { dev } = await sharedSystem();
    const patch = async (body: object) => {
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const sent = { key: dev.management_api_key, headers, body };
      const answer = await story.api.send('PATCH', `/proxies/${proxy.id}`, sent);
      expect(answer.status, answer.text).to.equal(204);
      const { request_transform, request_transforms, response_transform, response_transforms } = (
        await story.api.manage('GET', `/proxies/${proxy.id}`)
      ).json;
      return [request_transform, request_transforms, response_transform, response_transforms];
    };
    const none = undefined;
    expect(await patch({ response_transform: mask('(a)') })).to.deep.equal([none, none, mask('(a)'), none]);
    expect(await patch({ response_transform: { replacement: '#' } })).to.deep.equal([
      none,
      none,
      mask('(a)', '#'),
      none,
    ]);
    expect(
      await patch({ response_transform: { type: 'append_text', options: { value: 'b' } } }),
    ).to.deep.equal([none, none, { type: 'append_text', options: { value: 'b' } }, none]);
    expect(await patch({ response_transform: null })).to.deep.equal([none, none, none, none]);
  });
});
