import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonValue } from '../values/json-value.ts';
import { mergePatch } from './merge-patch.ts';

/** The test cases of RFC 7396, appendix A. */
const vectors: readonly (readonly [target: JsonValue, patch: JsonValue, result: JsonValue])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('mergePatch', () => {
  for (const [target, patch, result] of vectors) {
    it(`turns ${JSON.stringify(target)} with ${JSON.stringify(patch)} into ${JSON.stringify(result)}`, () => {
      expect(mergePatch(target, patch)).to.deep.equal(result);
    });
  }

  it('gives the same when it is applied again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = mergePatch(target as JsonValue, patch as JsonValue);
        expect(mergePatch(once, patch as JsonValue)).to.deep.equal(once);
      }),
    );
  });

  it('keeps members that are called like what objects inherit', () => {
    const target = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as JsonValue;
    const patch = JSON.parse('{"__proto__": {"b": 2}, "toString": 3}') as JsonValue;
    expect(JSON.stringify(mergePatch(target, patch))).to.equal(
      '{"__proto__":{"a":1,"b":2},"constructor":1,"toString":3}',
    );
  });

  it('leaves both as they were', () => {
    const [target, patch] = [{ a: { b: 1 } }, { a: { b: null, c: { d: 1 } } }];
    mergePatch(target, patch);
    expect([target, patch]).to.deep.equal([{ a: { b: 1 } }, { a: { b: null, c: { d: 1 } } }]);
  });
});
