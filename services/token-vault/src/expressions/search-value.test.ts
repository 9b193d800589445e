import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { searchValue } from './search-value.ts';

const rows: readonly (readonly [expression: string, data: JsonValue, value: string])[] = [
  ['{{ data }}', '123-45-6789', '123-45-6789'],
  ["{{ data | remove: '-' }}", '123-45-6789', '123456789'],
  ['{{ data | last4 }}', '123-45-6789', '6789'],
  ['{{ data.age }}', { age: 5 }, '5'],
  ['{{ data.on }}', { on: false }, 'false'],
  ['{{ data.a }} {{ data.b }}', { a: 'x', b: 'y' }, 'x y'],
];

const refused: readonly (readonly [what: string, expression: string, data: JsonValue])[] = [
  ['null', '{{ data.missing }}', {}],
  ['an empty text', '{{ data }}', ''],
  ['an object', '{{ data }}', { a: 1 }],
  ['several values', '{{ data }}', ['a', 'b']],
  ['a text that nobody could search for', '{{ data }}', 'x'.repeat(1001)],
  ['what cannot be evaluated', '{{ data | to_number }}', 'x'],
  ['what cannot be read', '{{ data', 'x'],
];

describe('searchValue', () => {
  for (const [expression, data, value] of rows) {
    it(`${expression} of ${JSON.stringify(data)} is ${value}`, () => {
      expect(searchValue(expression, data, 1000)).to.equal(value);
    });
  }

  for (const [what, expression, data] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => searchValue(expression, data, 1000)).to.throw(ExpressionEvaluationError);
    });
  }
});
