import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { defaultExpressionLimits } from './expression-limits.ts';
import {
  validateAliasExpression,
  validateFingerprintExpression,
  validateMask,
  validateSearchIndex,
} from './validate-expressions.ts';

function problemsOf(validate: (report: (path: string, message: string) => void) => void): string[] {
  const problems: string[] = [];
  validate((path, message) => problems.push(`${path}: ${message}`));
  return problems;
}

const limits = defaultExpressionLimits;
const maskLimits = { maskBytes: 32 * 1024, maskNesting: 32, expressions: limits };

const maskProblems = (mask: JsonValue): string[] =>
  problemsOf((report) => validateMask(mask, maskLimits, 'mask', report));

function nested(levels: number): JsonValue {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;
}

describe('validateMask', () => {
  it('accepts any JSON whose expressions can be read', () => {
    const masks: JsonValue[] = [
      '{{ data | reveal_last: 4 }}',
      'just text',
      null,
      5,
      { a: [{ b: '{{ data.b }}' }], c: true, '{{ not evaluated': 1 },
      nested(32),
    ];
    for (const mask of masks) expect(maskProblems(mask), JSON.stringify(mask)).to.deep.equal([]);
  });

  it('names every expression that is wrong by its path', () => {
    const mask = {
      number: '{{ data.number, reveal_last: 4 }}',
      ok: '{{ data.a }}',
      list: ['x', { deep: '{{ data.a | nope }}' }],
      meta: '{{ metadata.a }}',
    };
    expect(maskProblems(mask)).to.deep.equal([
      'mask.number: The filters of the expression cannot be read.',
      'mask.list[1].deep: The expression {{ data.a | nope }} names the unknown filter nope.',
      'mask.meta: The expression names an unknown variable; there is only data here.',
    ]);
  });

  it('names a wrong expression that is the whole mask', () => {
    expect(maskProblems('{{ data')).to.deep.equal(['mask: The expression has an unclosed "{{".']);
  });

  it('finds wrong arguments before there is data', () => {
    expect(maskProblems({ a: '{{ data | json: "a" }}', b: '{{ data | pad_left: 6 }}' })).to.have.length(2);
  });

  it('refuses what is nested too deep or too large', () => {
    expect(maskProblems(nested(33))).to.deep.equal(['mask: must not be nested deeper than 32 levels']);
    expect(maskProblems(nested(5000))).to.deep.equal(['mask: must not be nested deeper than 32 levels']);
    expect(maskProblems('x'.repeat(32 * 1024))).to.deep.equal(['mask: must not be larger than 32768 bytes']);
  });
});

describe('validation of other expressions', () => {
  it('refuses text that a database cannot keep', () => {
    for (const text of ['a\u0000b', 'a\ud800']) {
      expect(problemsOf((report) => validateFingerprintExpression(text, limits, 'f', report))).to.deep.equal([
        'f: must not hold the character U+0000 or broken text',
      ]);
    }
  });

  it('lets fingerprints see metadata, and nothing else see it', () => {
    const text = '{{ data.a }}{{ metadata.b }}';
    expect(problemsOf((report) => validateFingerprintExpression(text, limits, 'f', report))).to.deep.equal(
      [],
    );
    const others = [validateSearchIndex, validateAliasExpression];
    for (const validate of others) {
      expect(problemsOf((report) => validate(text, limits, 'x', report))).to.deep.equal([
        'x: The expression names an unknown variable; there is only data here.',
      ]);
    }
  });

  it('bounds their length', () => {
    const long = `{{ data }}${'x'.repeat(391)}`;
    expect(problemsOf((report) => validateFingerprintExpression(long, limits, 'f', report))).to.deep.equal([
      'f: must not be longer than 400 characters',
    ]);
    expect(problemsOf((report) => validateSearchIndex(long, limits, 's', report))).to.deep.equal([
      's: must not be longer than 400 characters',
    ]);
    expect(
      problemsOf((report) => validateFingerprintExpression(long.slice(1), limits, 'f', report)),
    ).to.deep.equal([]);
  });

  it('goes by the limits that are set', () => {
    const few = { length: 30, filters: 1, indexLength: 20 };
    const alias = (text: string) => problemsOf((report) => validateAliasExpression(text, few, 'id', report));
    expect(alias('{{ data | upcase }}')).to.deep.equal([]);
    expect(alias('{{ data | upcase | strip }}')).to.deep.equal([
      'id: An expression may have at most 1 filters.',
    ]);
    expect(alias(`{{ data }}${'x'.repeat(21)}`)).to.deep.equal([
      'id: An expression may have at most 30 characters.',
    ]);
    expect(
      problemsOf((report) => validateSearchIndex(`{{ data }}${'x'.repeat(11)}`, few, 's', report)),
    ).to.deep.equal(['s: must not be longer than 20 characters']);
    const shallow = { maskBytes: 10, maskNesting: 1, expressions: few };
    const mask = (value: JsonValue) => problemsOf((report) => validateMask(value, shallow, 'mask', report));
    expect(mask([[]])).to.deep.equal(['mask: must not be nested deeper than 1 levels']);
    expect(mask('123456789')).to.deep.equal(['mask: must not be larger than 10 bytes']);
    expect(mask('12345678')).to.deep.equal([]);
  });
});
