import { expect } from 'chai';

import type { Problems } from '../http/shape.ts';
import { defaultInputLimits } from '../limits/input-limits.ts';
import { patternProblem } from './transform-shapes.ts';
import { codePaths, readTransforms, shownTransforms } from './transforms.ts';

describe('the transforms of a proxy', () => {
  const read = (body: unknown, side: 'request' | 'response' = 'response') => {
    const problems: Problems = {};
    return { transforms: readTransforms(defaultInputLimits, body, side, problems), problems };
  };
  const mask = { type: 'mask', matcher: 'regex', expression: '(a)', replacement: '*' };

  it('are kept apart from their code, and shown as they were sent', () => {
    const sent = [
      {},
      { response_transform: { code: 'x' } },
      { response_transform: { type: 'code', code: 'x' } },
      { response_transform: mask },
      {
        response_transforms: [
          mask,
          { code: 'x' },
          { type: 'append_json', options: { value: null, location: '$.a' } },
        ],
      },
    ];
    for (const body of sent) {
      const { transforms, problems } = read(body);
      expect(problems).to.deep.equal({});
      expect(shownTransforms('response', transforms)).to.deep.equal(body);
    }
    expect(read(sent[1]).transforms).to.deep.equal({ code: 'x', steps: null });
  });

  it('null, an empty list and an absent transform mean none', () => {
    for (const body of [
      { response_transform: null },
      { response_transform: {} },
      { response_transform: { code: null, type: null } },
      { response_transforms: null },
      { response_transforms: [] },
    ]) {
      expect(read(body)).to.deep.equal({ transforms: { code: null, steps: null }, problems: {} });
    }
  });

  it('of a hostile shape are problems, each with its name', () => {
    const names = (body: unknown) => Object.keys(read(body).problems);
    const list = (...items: unknown[]) => names({ response_transforms: items });
    expect(names({ response_transforms: {} })).to.deep.equal(['response_transforms']);
    expect(names({ response_transforms: Array.from({ length: 11 }, () => mask) })).to.deep.equal([
      'response_transforms',
    ]);
    expect(list(null, 1, [], 'x')).to.deep.equal([0, 1, 2, 3].map((at) => `response_transforms[${at}]`));
    for (const type of ['nope', 'constructor', '__proto__', 1, {}]) {
      expect(list({ type })).to.deep.equal(['response_transforms[0].type']);
    }
    const at = (location: unknown) => list({ type: 'append_json', options: { value: 1, location } });
    for (const location of ['$', 'a', '$.*', '$..a', '$.a[*]', '$.__proto__.x', "$['__proto__']", 1]) {
      expect(at(location), String(location)).to.deep.equal(['response_transforms[0].options.location']);
    }
    expect(at("$.a[0]['b c'].d-e")).to.deep.equal([]);
    const header = (location: string, value = 'v') =>
      list({ type: 'append_header', options: { value, location } });
    for (const name of ['SVC-API-KEY', 'bt-x', 'content-length', 'Transfer-Encoding', 'a b', '']) {
      expect(header(name), name).to.deep.equal(['response_transforms[0].options.location']);
    }
    for (const value of [
      '{{ id-1 }}',
      '{{ token: id }}',
      '{{',
      '{{ res',
      '{% if %}',
      '{{ encrypted }}',
      '{{proxy-1}}',
      '{{ proxy .x }}',
      '{{ res .x }}',
      '{{ res [0] }}',
      '{{ res\u00a0.x | upcase }}',
    ]) {
      expect(header('X', value), value).to.deep.equal(['response_transforms[0].options.value']);
    }
    expect(header('X', '{{ res.a[0] | upcase }}-{{ res }}-{{res | size}}')).to.deep.equal([]);
  });

  it('of a response name neither configuration nor the request, which holds what its caller may not read', () => {
    const problems = (type: string, options: object, side: 'request' | 'response' = 'response') =>
      read({ [`${side}_transform`]: { type, options } }, side).problems;
    const refused = ['must not name config: or proxy, whose values the response would give to the caller'];
    for (const value of [
      '{{config: K}}',
      '{{ proxy.request.headers.Echo }}',
      '{{ proxy }}',
      "a {{ res.a }} {{ proxy | json: '$.config.K' }}",
      '{{ res | append: proxy.request.body }}',
      '{{ res["a"] | default: proxy["config"] }}',
      '{{ res[proxy.request.body] }}',
    ]) {
      const name = 'response_transform.options.value';
      expect(problems('append_text', { value }), value).to.deep.equal({ [name]: refused });
      expect(problems('append_header', { value, location: 'X' }), value).to.deep.equal({ [name]: refused });
      expect(problems('append_json', { value: { a: [value] }, location: '$.a' }), value).to.deep.equal({
        [name]: refused,
      });
      const token = { data: value };
      expect(problems('tokenize', { token, identifier: 'a' }), value).to.deep.equal({
        'response_transform.options.token': refused,
      });
    }
    for (const value of [
      '{{ res.proxy.a }}',
      `{{ res["proxy"] | append: 'proxy' }}`,
      "{{ transform_identifier: proxy | json: '$.id' }}",
    ]) {
      expect(problems('append_json', { value, location: '$.a' }), value).to.deep.equal({});
    }
    const token = { data: '{{ proxy.request.body }}', metadata: { by: '{{ config: OWNER }}' } };
    expect(problems('tokenize', { token, identifier: 'a' }, 'request')).to.deep.equal({});
  });

  it('make tokens of what a client has encrypted, and append nothing of it', () => {
    const problems = (type: string, options: object, side: 'request' | 'response' = 'response') =>
      read({ [`${side}_transform`]: { type, options } }, side).problems;
    const refused = ['must not name encrypted, whose value the response would give to the caller'];
    for (const value of [
      "{{ encrypted | json: '$.data.number' }}",
      '{{ res | append: encrypted.data.number }}',
    ]) {
      expect(problems('append_text', { value }), value).to.deep.equal({
        'response_transform.options.value': refused,
      });
    }
    const token = { type: 'card', data: "{{ encrypted | json: '$.data' }}" };
    for (const side of ['request', 'response'] as const)
      expect(problems('tokenize', { token, identifier: 'a' }, side)).to.deep.equal({});
    expect(problems('append_text', { value: "{{ res.encrypted | append: 'encrypted' }}" })).to.deep.equal({});
  });

  it('of requests are code and tokenize only', () => {
    expect(read({ request_transform: mask }, 'request').problems).to.deep.equal({
      'request_transform.type': ['must be one of code, tokenize'],
    });
  });

  it('hold code where it is looked for', () => {
    expect(
      codePaths(defaultInputLimits, { request_transforms: [1, 2], response_transforms: {} }),
    ).to.deep.equal([
      ['request_transform', 'code'],
      ['request_transforms', 0, 'code'],
      ['request_transforms', 1, 'code'],
      ['response_transform', 'code'],
    ]);
  });

  it('mask by a pattern that captures', () => {
    for (const text of ['(a)', '(?<n>a)', String.raw`[)](a)`, String.raw`\((a)\)`, '(?:(a))', '^(a+)+$']) {
      expect(patternProblem(text), text).to.equal(undefined);
    }
    for (const text of ['a', String.raw`\(a\)`, '[(a)]', '(?:a)', '(?=a)', '(?<=a)b', '(?<!a)b']) {
      expect(patternProblem(text), text).to.match(/capture group/);
    }
    for (const text of ['(', '(a', '[', '*(a)', '(?<n>a)(?<n>b)']) {
      expect(patternProblem(text), text).to.match(/valid regular expression/);
    }
    expect(patternProblem('')).to.equal('is required');
  });
});
