import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { WorkBudget } from './expression-limits.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';

const data = {
  number: '4242424242424242',
  expiration_month: 12,
  on: true,
  nothing: null,
  first_name: 'John',
  last_name: 'Brown',
  key: 'number',
  address: { city: 'Oslo', 'street name': 'Gata' },
  items: [{ name: 'x' }, { name: 'y' }],
  'hyphen-ated': 'h',
  size: 7,
};

const rows: readonly (readonly [template: string, result: JsonValue])[] = [
  ['{{ data.number }}', '4242424242424242'],
  ['{{data.number}}', '4242424242424242'],
  ['{{ data.number | reveal_last: 4 }}', 'XXXXXXXXXXXX4242'],
  ['{{ data.expiration_month }}', 12],
  ["{{ data | json: '$.expiration_month' }}", '12'],
  ['{{ data.on }}', true],
  ['{{ data.nothing }}', null],
  ['{{ data.missing }}', null],
  ['{{ data.missing.deeper }}', null],
  ['{{ data.number.deeper }}', null],
  ['{{ data.address }}', { city: 'Oslo', 'street name': 'Gata' }],
  ['{{ data.address.city }}', 'Oslo'],
  ["{{ data.address['street name'] }}", 'Gata'],
  ['{{ data["address"]["city"] }}', 'Oslo'],
  ['{{ data.items[0].name }}', 'x'],
  ['{{ data.items[-1].name }}', 'y'],
  ['{{ data.items[9].name }}', null],
  ['{{ data.items.first.name }}', 'x'],
  ['{{ data.items.last.name }}', 'y'],
  ['{{ data.items.size }}', 2],
  ['{{ data.size }}', 7],
  ['{{ data.address.size }}', 2],
  ['{{ data.number.size }}', 16],
  ['{{ data[data.key] }}', '4242424242424242'],
  ['{{ data.hyphen-ated }}', 'h'],
  ['{{ data.constructor }}', null],
  ['{{ data.__proto__ }}', null],
  ['{{ data.items.length }}', null],
  ["{{ data.items.map | default: 'none' }}", 'none'],
  ['{{ data.first_name }} {{ data.last_name }}', 'John Brown'],
  ['Dear {{ data.first_name }}', 'Dear John'],
  [' {{ data.expiration_month }}', ' 12'],
  ['{{ data.expiration_month }}{{ data.on }}', '12true'],
  ['[{{ data.nothing }}]', '[]'],
  ['at {{ data.address }}', 'at {"city":"Oslo","street name":"Gata"}'],
  ["{{ 'literal' | upcase }}", 'LITERAL'],
  ["{{ data.first_name | append: ' ' | append: data.last_name }}", 'John Brown'],
  ["{{ data.first_name | append: '}}' }}", 'John}}'],
  ['{{ data.first_name | append: "}}" }}!', 'John}}!'],
  ['no expression', 'no expression'],
  ['', ''],
  ['} } }} {', '} } }} {'],
  ['{ { data } }', '{ { data } }'],
];

const refused: readonly (readonly [template: string, message: RegExp])[] = [
  ['{{ data.number', /unclosed "{{"/],
  ["{{ data.number | append: 'x }}", /unclosed "{{"/],
  ['{{ data.number }', /unclosed "{{"/],
  ['{{', /unclosed "{{"/],
  ['{{}}', /does not begin with a value/],
  ['{{ | upcase }}', /does not begin with a value/],
  ['{{ {{ data }} }}', /does not begin with a value/],
  ['{{ data.number, reveal_last: 4 }}', /cannot be read/],
  ['{{ data.number reveal_last }}', /cannot be read/],
  ["{{ data.number == '4' }}", /cannot be read/],
  ['{{ data.number contains data.number }}', /cannot be read/],
  ['{{ (1..1000000000) }}', /neither a literal nor a property/],
  ['{{ (1..1000000000) | size }}', /neither a literal nor a property/],
  ['{{ number }}', /unknown variable; there is only data here/],
  ['{{ metadata.a }}', /unknown variable; there is only data here/],
  ['{{ toString }}', /unknown variable/],
  ['{{ data. }}', /cannot be read|property path/],
  ['{{ data..number }}', /cannot be read|property path/],
  ['{{ data[] }}', /property path/],
  ['{{ data[0 x] }}', /property path/],
  ['{{ data[1.5] }}', /property path/],
  ['{{ data[true] }}', /property path/],
  ['{{ data[number] }}', /property path|unknown variable/],
  ["{{ data['number }}", /unclosed/],
  ['{{ data[0 }}', /does not begin with a value|property path/],
  ['{{- data -}}', /does not begin with a value|unknown variable|cannot be read/],
  ['{% assign x = 1 %}', /tags/],
  ['{% raw %}{{ data }}{% endraw %}', /tags/],
  ['{{ data }}{%', /tags/],
  [`{{ data${'.a'.repeat(2100)} }}`, /at most 4096 characters/],
];

describe('template', () => {
  for (const [template, result] of rows) {
    it(`${JSON.stringify(template)} gives ${JSON.stringify(result)}`, () => {
      expect(evaluate(template)).to.deep.equal(result);
    });
  }

  for (const [template, message] of refused) {
    it(`refuses ${JSON.stringify(template).slice(0, 60)}`, () => {
      expect(() => evaluate(template)).to.throw(ExpressionEvaluationError, message);
    });
  }

  it('binds metadata where it is asked for', () => {
    const template = compileTemplate('{{ metadata.a }}-{{ data }}', ['data', 'metadata']);
    expect(evaluateTemplate(template, { data: 'x', metadata: { a: 'm' } }, new WorkBudget())).to.equal('m-x');
    expect(() => compileTemplate('{{ metadata.a }}-{{ data }}', ['data'])).to.throw(
      ExpressionEvaluationError,
    );
  });

  it('survives any text', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '{{',
          '}}',
          '{%',
          '|',
          "'",
          '"',
          'data',
          '.',
          '[',
          ']',
          '(',
          '..',
          ' ',
          ':',
          'number',
          '\\',
          '-',
        ),
        fc.string({ unit: 'binary', maxLength: 4 }),
      ),
      { maxLength: 20 },
    );
    const property = fc.property(pieces, (parts) => {
      try {
        JSON.stringify(evaluate(parts.join('')));
      } catch (error) {
        expect(error).to.be.instanceOf(ExpressionEvaluationError);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });
});

function evaluate(template: string): JsonValue {
  return evaluateTemplate(compileTemplate(template, ['data']), { data }, new WorkBudget());
}
