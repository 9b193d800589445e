import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { dataProblem, defaultTokenLimits } from './data-limits.ts';

const { dataBytes: maxDataBytes, dataNesting: maxDataDepth } = defaultTokenLimits;

function nested(levels: number): JsonValue {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;
}

const rows: readonly (readonly [what: string, value: JsonValue, problem: RegExp | undefined])[] = [
  ['text', 'x', undefined],
  ['a number', -1.5, undefined],
  ['an empty object', {}, undefined],
  ['the largest text', 'x'.repeat(maxDataBytes - 2), undefined],
  ['a text that is one byte too large', 'x'.repeat(maxDataBytes - 1), /larger than 1048576 bytes/],
  ['a text that is too large in UTF-8 only', 'é'.repeat(maxDataBytes / 2), /larger than/],
  ['a text that is too large in JSON only', '"'.repeat(maxDataBytes / 2), /larger than/],
  ['the deepest nesting', nested(maxDataDepth), undefined],
  ['one level more', nested(maxDataDepth + 1), /deeper than 64 levels/],
  ['a hundred thousand levels', nested(100_000), /deeper than 64 levels/],
  ['objects that deep', JSON.parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`) as JsonValue, /deeper than/],
  ['the largest whole number', [Number.MAX_SAFE_INTEGER], undefined],
  ['a larger one', { a: Number.MAX_SAFE_INTEGER + 1 }, /too large to be kept exactly/],
  ['a card number of 19 digits as a number', JSON.parse('4242424242424242424') as JsonValue, /too large/],
  ['what JSON reads as infinity', JSON.parse('[1e999]') as JsonValue, /too large/],
  ['a fraction', 0.1, undefined],
];

describe('dataProblem', () => {
  for (const [what, value, problem] of rows) {
    it(`${problem ? 'refuses' : 'accepts'} ${what}`, () => {
      const found = dataProblem(value, defaultTokenLimits);
      if (problem) expect(found).to.match(problem);
      else expect(found).to.equal(undefined);
    });
  }

  it('goes by the limits that are set', () => {
    const limits = { ...defaultTokenLimits, dataBytes: 10, dataNesting: 2 };
    expect(dataProblem('x'.repeat(8), limits)).to.equal(undefined);
    expect(dataProblem('x'.repeat(9), limits)).to.equal('must not be larger than 10 bytes of JSON');
    expect(dataProblem([[]], limits)).to.equal(undefined);
    expect(dataProblem([[[]]], limits)).to.equal('must not be nested deeper than 2 levels');
  });
});
