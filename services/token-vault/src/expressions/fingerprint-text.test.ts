import { expect } from 'chai';

import type { JsonObject, JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { fingerprintText } from './fingerprint-text.ts';

const rows: readonly (readonly [
  what: string,
  expression: string,
  data: JsonValue,
  metadata: JsonObject,
  text: string | null,
])[] = [
  ['a card by its number', '{{ data.number }}', { number: '4242424242424242' }, {}, '4242424242424242'],
  [
    'a bank account by both numbers',
    '{{ data.account_number }}|{{ data.routing_number }}',
    { account_number: '1', routing_number: '021000021' },
    {},
    '1|021000021',
  ],
  ['a social security number without hyphens', "{{ data | remove: '-' }}", '123-45-6789', {}, '123456789'],
  ['an object by its JSON', '{{ data | stringify }}', { a: 1, b: [true] }, {}, '{"a":1,"b":[true]}'],
  ['a text by itself', '{{ data | stringify }}', 'x', {}, 'x'],
  ['a number', '{{ data }}', 12, {}, '12'],
  ['an object without a filter', '{{ data }}', { a: 1 }, {}, '{"a":1}'],
  ['metadata', '{{ data.a }}{{ metadata.b }}', { a: 1 }, { b: 'm' }, '1m'],
  ['nothing by nothing', '{{ data.missing }}', {}, {}, null],
  ['an empty text by nothing', '{{ data }}', '', {}, null],
];

describe('fingerprintText', () => {
  for (const [what, expression, data, metadata, text] of rows) {
    it(`identifies ${what}`, () => {
      expect(fingerprintText(expression, data, metadata)).to.equal(text);
    });
  }

  it('takes the largest token by its default expression', () => {
    const data = { text: 'x'.repeat(1024 * 1024 - 20) };
    expect(fingerprintText('{{ data | stringify }}', data, {})).to.equal(JSON.stringify(data));
    const list = Array.from({ length: 350_000 }, () => 12);
    expect(fingerprintText('{{ data | stringify }}', list, {})).to.equal(JSON.stringify(list));
  });

  it('refuses an expression that cannot be evaluated', () => {
    expect(() => fingerprintText('{{ data.a | to_number }}', { a: 'x' }, {})).to.throw(
      ExpressionEvaluationError,
    );
  });
});
