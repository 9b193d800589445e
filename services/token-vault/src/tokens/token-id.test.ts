import { expect } from 'chai';

import { WorkBudget } from '../expressions/expression-limits.ts';
import type { JsonValue } from '../values/json-value.ts';
import { defaultTokenLimits as limits } from './data-limits.ts';
import {
  aliasCandidate as candidate,
  checkAlias,
  generateTokenId,
  readRequestedId,
  type RequestedId,
} from './token-id.ts';

const aliasCandidate = (expression: string, data: JsonValue) =>
  candidate(expression, data, limits, new WorkBudget());

function read(value: unknown): { id: RequestedId | undefined; problems: string[] } {
  const problems: string[] = [];
  const id = readRequestedId(value, limits, (path, message) => problems.push(`${path}: ${message}`));
  return { id, problems };
}

describe('a requested token id', () => {
  it('is generated when none is asked for', () => {
    for (const value of [undefined, null]) expect(read(value)).to.deep.equal({ id: undefined, problems: [] });
    expect(generateTokenId()).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('is taken as it is', () => {
    expect(read('ann.lee@example.org')).to.deep.equal({
      id: { kind: 'literal', id: 'ann.lee@example.org' },
      problems: [],
    });
  });

  it('is an alias when it holds an expression', () => {
    const expression = "usr_{{ data.email | split: '@' | first | alias_preserve_length }}";
    expect(read(expression)).to.deep.equal({ id: { kind: 'alias', expression }, problems: [] });
  });

  const refused: readonly (readonly [value: unknown, problem: string])[] = [
    [5, 'id: must be text'],
    [['abc'], 'id: must be text'],
    ['', 'id: must have 3 to 400 characters'],
    ['proxy', 'id: must not begin with the reserved word "proxy"'],
    ['a/b/c', 'id: must not contain any of # / \\ + ? [ ] | & = % < > { } ^'],
    ['{{ data', 'id: The expression has an unclosed "{{".'],
    ['{{ metadata.a }}', 'id: The expression names an unknown variable; there is only data here.'],
    ['{% raw %}', 'id: Liquid tags ({% … %}) are not supported.'],
    ['x}}y', 'id: must not contain any of # / \\ + ? [ ] | & = % < > { } ^'],
  ];
  for (const [value, problem] of refused) {
    it(`is not ${JSON.stringify(value)}`, () => {
      expect(read(value).problems).to.deep.equal([problem]);
    });
  }
});

describe('an alias', () => {
  it('keeps the shape that its expression asks for', () => {
    expect(aliasCandidate('{{ data | alias_preserve_format: 0, 4 }}', '555-01-2222')).to.match(
      /^\d{3}-\d\d-2222$/,
    );
    const expression = "usr_{{ data.email | split: '@' | first | alias_preserve_length }}";
    expect(aliasCandidate(expression, { email: 'ann.lee@example.org' })).to.match(/^usr_[a-z0-9]{7}$/);
    expect(aliasCandidate("{{ data | alias_card: 'true', 'true' }}", '4242424242424242')).to.match(
      /^42424242\d{4}4242$/,
    );
  });

  it('is another one at each try', () => {
    const tries = Array.from({ length: 50 }, () =>
      aliasCandidate('{{ data | alias_preserve_length }}', 'a'.repeat(12)),
    );
    expect(new Set(tries).size).to.equal(50);
  });

  const refused: readonly (readonly [expression: string, message: RegExp])[] = [
    ['{{ data.missing }}', /3 to 400 characters/],
    ['{{ data.short }}', /3 to 400 characters/],
    ['{{ data.path }}', /must not contain any of/],
    ['{{ data }}', /3 to 400 characters/],
    ['{{ data.word }}', /reserved word/],
    ['{{ data.long }}', /3 to 400 characters/],
    ['{{ data.word | to_number }}', /Filter to_number/],
  ];
  for (const [expression, message] of refused) {
    it(`is refused when ${expression} gives no id`, () => {
      const data = { short: 'ab', path: 'SECRET/SECRET', word: 'proxy', long: 'x'.repeat(401) };
      const problems: string[] = [];
      checkAlias(
        expression,
        data,
        limits,
        (path, problem) => problems.push(`${path}: ${problem}`),
        new WorkBudget(),
      );
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(message).and.to.match(/^id: /).and.not.include('SECRET');
      expect(aliasCandidate(expression.replace('| to_number', ''), data)).to.equal(undefined);
    });
  }
});
