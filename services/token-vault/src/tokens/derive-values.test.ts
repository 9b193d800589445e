import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { defaultTokenLimits } from './data-limits.ts';
import { deriveValues, type DerivedValues, type TokenExpressions } from './derive-values.ts';

function derive(
  token: Partial<TokenExpressions> & { data: JsonValue },
): DerivedValues & { problems: string[] } {
  const problems: string[] = [];
  const derived = deriveValues(
    { metadata: undefined, mask: null, fingerprintExpression: '{{ data }}', searchIndexes: [], ...token },
    defaultTokenLimits,
    (path, message) => problems.push(`${path}: ${message}`),
  );
  return { ...derived, problems };
}

describe('deriveValues', () => {
  it('gives what is to be fingerprinted and searched for', () => {
    const token = { data: 'Ann', searchIndexes: ['{{ data }}', '{{ data | size }}'] };
    expect(derive(token)).to.deep.equal({ fingerprintText: 'Ann', searchValues: ['Ann', '3'], problems: [] });
  });

  it('binds metadata in fingerprints', () => {
    const token = { data: 1, metadata: { a: 'm' }, fingerprintExpression: '{{ metadata.a }}{{ data }}' };
    expect(derive(token).fingerprintText).to.equal('m1');
  });

  it('gives no fingerprint where there is nothing to identify', () => {
    expect(derive({ data: '' }).fingerprintText).to.equal(null);
  });

  it('reports every expression that fails on this data, by its path', () => {
    const token = {
      data: { a: 'x' },
      mask: { n: '{{ data.a | to_number }}', list: ['{{ data.a | to_boolean }}'] },
      fingerprintExpression: '{{ data.a | to_number }}',
      searchIndexes: ['{{ data.a }}', '{{ data.missing }}'],
    };
    expect(derive(token).problems).to.deep.equal([
      'mask.n: Filter to_number: its input must be a number.',
      'mask.list[0]: Filter to_boolean: its input must be "true" or "false".',
      'fingerprint_expression: Filter to_number: its input must be a number.',
      'search_indexes[1]: The expression of a search index must give one value that is not empty.',
    ]);
  });
});
