import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonValue } from '../values/json-value.ts';
import { readTokenizeTree as readTree } from './tokenize-tree.ts';

const maxTokens = 100;
const readTokenizeTree = (body: JsonValue) => readTree(body, { tokens: maxTokens, nesting: 64 });

const card = { type: 'card', data: { number: '4242424242424242' } };
const named = { type: 'token', data: 'b', id: 'my-id' };

const rows: readonly (readonly [
  what: string,
  body: JsonValue,
  leaves: readonly (readonly [string, string])[],
])[] = [
  [
    'the documented example',
    { holder: 'Ann', card, tags: ['a', named] },
    [
      ['holder', 'id'],
      ['card', 'token'],
      ['tags[0]', 'id'],
      ['tags[1]', 'token'],
    ],
  ],
  ['a token request alone', card, [['', 'token']]],
  ['a value alone', 'x', [['', 'id']]],
  [
    'a list of token requests',
    [card, named],
    [
      ['[0]', 'token'],
      ['[1]', 'token'],
    ],
  ],
  [
    'every kind of plain value',
    { a: 's', b: 1, c: false },
    [
      ['a', 'id'],
      ['b', 'id'],
      ['c', 'id'],
    ],
  ],
  ['null, which stays', { a: null, b: [null] }, []],
  ['nothing', {}, []],
  ['an empty list', [], []],
  ['deeper levels', { a: { b: [{ c: 1 }] } }, [['a.b[0].c', 'id']]],
  [
    'an object with a type and no data',
    { type: 'card', number: '4' },
    [
      ['type', 'id'],
      ['number', 'id'],
    ],
  ],
  ['an object with data and no type', { data: { x: 1 } }, [['data.x', 'id']]],
  ['a token request whose data looks like one', { type: 'token', data: card }, [['', 'token']]],
  ['a token request that is wrong, which is refused later', { type: 'nope', data: null }, [['', 'token']]],
  [
    'names that are no identifiers',
    { 'a b': 1, 'c.d': [2] },
    [
      ['["a b"]', 'id'],
      ['["c.d"][0]', 'id'],
    ],
  ],
];

describe('readTokenizeTree', () => {
  for (const [what, body, leaves] of rows) {
    it(`finds ${what}`, () => {
      const tree = readTokenizeTree(body);
      expect(tree.leaves.map(({ path, becomes }) => [path, becomes])).to.deep.equal(leaves);
    });
  }

  it('makes a request of type token from a plain value, and leaves a request as it is', () => {
    const { leaves } = readTokenizeTree(['x', card]);
    expect(leaves.map((leaf) => leaf.request)).to.deep.equal([{ type: 'token', data: 'x' }, card]);
  });

  it('puts the results where the values were, and keeps everything else', () => {
    const { fill } = readTokenizeTree({ holder: 'Ann', none: null, card, tags: ['a', [], {}] });
    const results = ['id-1', { id: 'id-2' }, 'id-3'];
    expect(fill(results)).to.deep.equal({
      holder: 'id-1',
      none: null,
      card: { id: 'id-2' },
      tags: ['id-3', [], {}],
    });
  });

  it('keeps the structure of any body', () => {
    const body = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(body, (value) => {
        fc.pre(value !== null);
        const { leaves, fill } = readTokenizeTree(value as JsonValue);
        fc.pre(leaves.every((leaf) => leaf.becomes === 'id'));
        const values = leaves.map((leaf) => (leaf.request as { data: JsonValue }).data);
        expect(JSON.stringify(fill(values))).to.equal(JSON.stringify(value));
      }),
    );
  });

  it('does not take null for a body', () => {
    expect(() => readTokenizeTree(null)).to.throw(AppError, 'There is nothing to tokenize in null.');
  });

  it('keeps a property that is called like the prototype', () => {
    const { fill } = readTokenizeTree(JSON.parse('{"__proto__": {"a": 1}}') as JsonValue);
    const results = ['id-1'];
    expect(JSON.stringify(fill(results))).to.equal('{"__proto__":{"a":"id-1"}}');
  });

  it('accepts as many values as a request may hold, and not one more', () => {
    const values = Array.from({ length: maxTokens }, (_, index) => index);
    expect(readTokenizeTree(values).leaves).to.have.length(100);
    expectRefused([...values, 1], 'At most 100 values can be tokenized in one request.');
    expectRefused(
      Array.from({ length: 1_000_000 }, () => 1),
      'At most 100 values can be tokenized in one request.',
    );
  });

  it('refuses what is nested too deep, however deep', () => {
    for (const levels of [66, 1000, 100_000]) {
      const body = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;
      expectRefused(body, 'The body must not be nested deeper than 64 levels.');
    }
    readTokenizeTree(JSON.parse(`${'['.repeat(65)}${']'.repeat(65)}`) as JsonValue);
  });

  it('does not take too few results', () => {
    const results = ['id-1'];
    const { fill } = readTokenizeTree(['a', 'b']);
    expect(() => fill(results)).to.throw('fewer results than leaves');
  });
});

function expectRefused(body: JsonValue, message: string): void {
  expect(() => readTokenizeTree(body))
    .to.throw(AppError, message)
    .with.property('code', 'invalid_argument');
}
