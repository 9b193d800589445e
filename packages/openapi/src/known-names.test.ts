import { expect } from 'chai';

import { readOpenApiDocument } from './document.ts';
import { operationKey, unknownParameters, unknownProperties } from './known-names.ts';
import { namesOfOperation } from './names-of-operation.ts';
import { methods } from './openapi-document.ts';

const namesOf = (key: string) =>
  namesOfOperation(...(key.split(' ', 2) as [string, string])) ?? expect.fail(key);
const unknownIn = (key: string, body: unknown) =>
  unknownProperties(namesOf(key).body, body, 100).map(({ path }) => path);
const unknownAmong = (key: string, query: string) =>
  unknownParameters(namesOf(key).query, new URLSearchParams(query), 100).map(({ path }) => path);

describe('the names that an operation knows', () => {
  it('are there for every operation', () => {
    const { paths } = readOpenApiDocument();
    for (const [path, item] of Object.entries(paths)) {
      for (const method of methods) {
        if (item[method] !== undefined) expect(namesOfOperation(method, path)).to.have.property('query');
      }
    }
    expect(operationKey('get', '/applications/:id/keys/:keyId')).to.equal(
      operationKey('GET', '/applications/{id}/keys/{key_id}'),
    );
  });

  it('are those of every example of a request, and of the answer that is sent back', () => {
    const { paths } = readOpenApiDocument();
    let compared = 0;
    for (const [path, item] of Object.entries(paths)) {
      for (const method of ['post', 'put', 'patch'] as const) {
        const operation = item[method];
        const [content] = Object.values(operation?.requestBody?.content ?? {});
        if (operation === undefined || content === undefined) continue;
        const key = operationKey(method, path);
        expect(unknownIn(key, content.example), key).to.deep.equal([]);
        const shown = item.get?.responses['200'];
        const answer =
          shown !== undefined && 'content' in shown ? shown.content?.['application/json'] : undefined;
        const example = answer?.example as { id?: unknown } | undefined;
        if (path.endsWith('}') && example?.id !== undefined)
          expect(unknownIn(key, example), `${key}, sent back`).to.deep.equal([]);
        compared += 1;
      }
    }
    expect(compared).to.be.greaterThan(15);
  });

  it('lie at any depth, in lists too, and the path to each unknown one is named', () => {
    const rules = [{ priority: 1 }, { priority: 2, permisions: [], conditions: [{ atribute: 'a' }] }];
    expect(unknownIn('POST /applications', { name: 'a', typ: 'b', rules })).to.deep.equal([
      'typ',
      'rules[1].permisions',
      'rules[1].conditions[0].atribute',
    ]);
  });

  it('are any in what is free-form', () => {
    const anything = { any: { thing: [{ at: 'all' }] } };
    const free: readonly [string, object][] = [
      ['POST /tokens', { type: 'token', data: anything, metadata: anything, mask: anything }],
      ['PATCH /tokens/{}', { data: anything, metadata: anything }],
      ['POST /proxies', { name: 'a', configuration: anything, application: { id: 'a', ...anything } }],
      ['PATCH /reactors/{}', { formula: anything, application: anything, configuration: anything }],
      ['POST /reactors/{}/react', { args: anything, callbackUrl: 'a', callback_url: 'a', timeoutMs: 1 }],
      ['POST /tokenize', anything],
      ['POST /detokenize', anything],
      ['PUT /tenants/self', { settings: anything }],
    ];
    for (const [key, body] of free) expect(unknownIn(key, body), key).to.deep.equal([]);
  });

  it('are none of those that every object inherits', () => {
    const body = JSON.parse('{"__proto__": {}, "constructor": 1, "toString": 2}') as object;
    expect(unknownIn('POST /proxies', body)).to.deep.equal(['__proto__', 'constructor', 'toString']);
  });

  it('are found in bounded time, and reported in bounded length', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]));
    expect(unknownProperties(namesOf('POST /proxies').body, many, 7)).to.have.length(7);
    expect(unknownIn('POST /proxies', { ['x'.repeat(5000)]: 1 })[0]).to.have.length(100);
    let nested: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    expect(unknownIn('POST /proxies', nested)).to.deep.equal([]);
    expect(unknownIn('POST /proxies', { request_transforms: nested })).to.deep.equal([]);
  });

  it('are those of parameters too', () => {
    expect(unknownAmong('GET /proxies', 'id=a&id=b&nmae=c&nmae=d&size=1')).to.deep.equal(['nmae']);
    expect(unknownAmong('GET /tokens', 'metadata.anything=a&metadata={}&metadat=1')).to.deep.equal([
      'metadat',
    ]);
    expect(unknownAmong('POST /proxies', 'name=a')).to.deep.equal(['name']);
  });
});
