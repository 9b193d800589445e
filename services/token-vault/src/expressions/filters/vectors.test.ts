import { expect } from 'chai';

import type { JsonValue } from '../../values/json-value.ts';
import { Subject, evaluateExpression } from '../evaluate.ts';
import { ExpressionEvaluationError } from '../expression-error.ts';
import { parseExpression } from '../parse.ts';

type Row = readonly [input: JsonValue, filters: string, output: JsonValue];
type ErrorRow = readonly [input: JsonValue, filters: string, message: RegExp];

const card = { number: '4242424242424242', expiration_month: 10, expiration_year: 2028, cvc: '123' };
const product = {
  color: 'red',
  price: 19.95,
  tags: ['a', 'b'],
  items: [
    { qty: 1, name: 'x' },
    { qty: 7, name: 'y' },
  ],
};

/**
 * Documented results (contract/expressions.md#filters and contract/examples.md#test-data), and for every filter what
 * it does at its edges.
 */
const vectors: Readonly<Record<string, readonly Row[]>> = {
  last4: [
    ['36227206271667', 'last4', '1667'],
    ['3622-7206-2716-5567', 'last4', '5567'],
    ['123', 'last4', '123'],
    ['', 'last4', ''],
    [1234567, 'last4', '4567'],
    ['ab😀😀😀', 'last4', 'b😀😀😀'],
    [null, 'last4', null],
  ],
  reveal: [
    ['3622-7206-2716-5567', 'reveal: 6', '3622-7XXXXXXXXXXXXX'],
    ['3622-7206-2716-5567', 'reveal: 7, 5', '3622-72XXXXXXX-5567'],
    ['3622-7206-2716-5567', `reveal: 7, 4, '#', "-"`, '3622-72##-####-5567'],
    ['3622-7206-2716-5567', 'reveal: 10, 9', 'XXXXXXXXXXXXXXXXXXX'],
    ['3622-7206-2716-5567', 'reveal: 10, 10', 'XXXXXXXXXXXXXXXXXXX'],
    ['3622-7206-2716-5567', 'reveal: 100', 'XXXXXXXXXXXXXXXXXXX'],
    ['3622-7206-2716-5567', 'reveal', 'XXXXXXXXXXXXXXXXXXX'],
    ['3622-7206-2716-5567', "reveal: 0, 4, 'X', '-'", 'XXXX-XXXX-XXXX-5567'],
    ['ab--cd', "reveal: 2, 2, '#', '-'", '######'],
    ['aXXd', 'reveal: 1, 1', 'XXXX'],
    ['ann@x.org', "reveal: 1, 0, '*', '@.'", 'a**@*.***'],
    ['😀abc😀', 'reveal: 1, 1', '😀XXX😀'],
    ['abcdef', "reveal: 1, 1, '😀'", 'a😀😀😀😀f'],
    ['', 'reveal: 1', ''],
    [123456, 'reveal: 1, 2', '1XXX56'],
    ['abcd', "reveal: '1', '1'", 'aXXd'],
    [null, 'reveal: 1', null],
  ],
  reveal_last: [
    ['36227206271667', "reveal_last: 3, '#'", '###########667'],
    ['secret', "reveal_last: 4, '#'", '##cret'],
    ['123-45-6789', 'reveal_last: 4', 'XXX-XX-6789'],
    ['12-3456789', 'reveal_last: 4', 'XX-XXX6789'],
    ['1234567890', 'reveal_last: 4', 'XXXXXX7890'],
    ['36227206271667', 'reveal_last: 4', 'XXXXXXXXXX1667'],
    ['4242424242424242', 'reveal_last: 4', 'XXXXXXXXXXXX4242'],
    ['Sensitive Value', 'reveal_last: 4', 'XXXXXXXXXXXalue'],
    ['abcd', 'reveal_last: 4', 'abcd'],
    ['abc', 'reveal_last: 4', 'abc'],
    ['abc', 'reveal_last: 0', 'XXX'],
    [12345678, 'reveal_last: 4', 'XXXX5678'],
    ['ab😀d', 'reveal_last: 2', 'XX😀d'],
    [null, 'reveal_last: 4', null],
  ],
  pad: [
    ['1234', "pad_left: 6, '0'", '001234'],
    ['1234', "pad_left: 2, '0'", '1234'],
    [1234, "pad_left: 6, '0'", '001234'],
    [1234, 'pad_left: 6, 0', '001234'],
    ['1234', "pad_right: 6, '0'", '123400'],
    ['1234', "pad_right: 4, ' '", '1234'],
    ['', "pad_left: 3, 'x'", 'xxx'],
    [null, "pad_left: 6, '0'", null],
    [null, "pad_right: 6, '0'", null],
  ],
  casts: [
    [product, 'stringify', JSON.stringify(product)],
    [{ color: 'red', price: 19.95 }, 'stringify', '{"color":"red","price":19.95}'],
    ['The Lord of the Rings', 'stringify', 'The Lord of the Rings'],
    [8.99, 'stringify', '8.99'],
    [true, 'stringify', 'true'],
    [null, 'stringify', null],
    [['a', 1, null], 'json_stringify', '["a",1,null]'],
    ['text', 'json_stringify', 'text'],
    ['true', 'to_boolean', true],
    ['false', 'to_boolean', false],
    [true, 'to_boolean', true],
    [null, 'to_boolean', null],
    ['42', 'to_number', 42],
    ['3.375', 'to_number', 3.375],
    ['-5', 'to_number', -5],
    ['02', 'to_number', 2],
    ['1e3', 'to_number', 1000],
    ['9007199254740991', 'to_number', 9_007_199_254_740_991],
    [42, 'to_number', 42],
    [null, 'to_number', null],
    [3.375, 'to_string', '3.375'],
    [true, 'to_string', 'true'],
    ['x', 'to_string', 'x'],
    [null, 'to_string', null],
  ],
  json: [
    [product, "json: '$.color'", 'red'],
    [product, "json: '$.price'", '19.95'],
    [product, "json: '$.price' | to_number", 19.95],
    [product, "json: '$.price' | to_string", '19.95'],
    [product, "json: '$.price' | to_number | stringify", '19.95'],
    [{ ok: true }, "json: '$.ok'", 'true'],
    [{ ok: true }, "json: '$.ok' | to_boolean", true],
    [product, "json: '$.tags'", ['a', 'b']],
    [product, "json: '$.tags[0]'", 'a'],
    [product, "json: '$.tags[-1]'", 'b'],
    [product, "json: '$.tags[9]'", null],
    [product, `json: "$['color']"`, 'red'],
    [product, "json: '$.items[?(@.qty < 3)].name'", 'x'],
    [product, 'json: \'$.items[?@.name == "y"].qty\'', '7'],
    [product, "json: '$.items[?@.qty > 100].name'", null],
    [product, "json: '$..price'", '19.95'],
    [product, "json: '$'", product],
    [product, "json: '$.missing'", null],
    [product, "json: '$.missing.deeper'", null],
    [{ a: null }, "json: '$.a'", null],
    [['a', 'b'], "json: '$[1]'", 'b'],
    [{ 'X-Date': 'today' }, "json: '$.X-Date'", 'today'],
    [{ h: [{ 'X-Date': 'today' }] }, "json: '$.h[0].X-Date'", 'today'],
    [product, "json: '$.constructor'", null],
    [product, "json: '$.__proto__'", null],
    [null, "json: '$.a'", null],
    [product, "json: '$.price' | plus: 1", '20.95'],
    [product, "json: '$.price' | json_stringify", '19.95'],
  ],
  card_bin: [
    ['3622720627165567', 'card_bin', '36227206'],
    ['4242424242424242', 'card_bin', '42424242'],
    ['36227206271667', 'card_bin', '362272'],
    ['3622-7206-2716-5567', "card_bin: '-'", '36227206'],
    ['3622 720627 1667', "card_bin: ' '", '362272'],
    [null, 'card_bin', null],
  ],
  card_exp: [
    [card, "card_exp: 'MM'", '10'],
    [card, "card_exp: 'MMYY'", '1028'],
    [card, "card_exp: 'MM/YY'", '10/28'],
    [card, "card_exp: 'YYYY'", '2028'],
    [card, "card_exp: 'YYYYMM'", '202810'],
    [card, "card_exp: 'YYYY-MM'", '2028-10'],
    [card, "card_exp: 'YYYY/MM'", '2028/10'],
    [card, "card_exp: 'MM/YYYY'", '10/2028'],
    [card, "card_exp: 'MM_YYYY'", '10_2028'],
    [card, "card_exp: 'MM-YYYY'", '10-2028'],
    [card, "card_exp: 'MMYYYY'", '102028'],
    [{ expiration_month: 2, expiration_year: 2030 }, "card_exp: 'MMYY'", '0230'],
    [{ expiration_month: '02', expiration_year: '2030' }, "card_exp: 'MM/YYYY'", '02/2030'],
    [{ expiration_year: 2030 }, "card_exp: 'YYYY'", '2030'],
    [{ expiration_year: 2030 }, "card_exp: 'MM/YY'", null],
    [{ expiration_month: 2 }, "card_exp: 'MMYY'", null],
    [null, "card_exp: 'MM'", null],
  ],
  card_mask: [
    ['3622-7206-2716-5567', "card_mask: true, true, '#', '-'", '3622-7206-####-5567'],
    ['3622-7206-2716-5567', "card_mask: 'true', 'true', '#', '-'", '3622-7206-####-5567'],
    ['3622720627165567', 'card_mask: true, true', '36227206XXXX5567'],
    ['3622720627165567', 'card_mask: false, true', 'XXXXXXXXXXXX5567'],
    ['3622720627165567', 'card_mask: true', '36227206XXXXXXXX'],
    ['3622720627165567', 'card_mask', 'XXXXXXXXXXXXXXXX'],
    ['36227206271667', 'card_mask: true, true', '362272XXXX1667'],
    ['3622-7206-2716-5567', 'card_mask: true, true', '3622-7206XXXXXX5567'],
    ['36227', 'card_mask: true, true', 'XXXXX'],
    [null, 'card_mask', null],
  ],
  hmac: [
    [
      '4242424242424242',
      "hmac: 'sha-256', 'secretKeyValue' | to_base16",
      '90A0050E90515101DCAD0F68955370CCA81F6DCB9D299E7E0585CC9746716D9B',
    ],
    // RFC 2202, test case 2, and RFC 4231, test case 2.
    [
      'what do ya want for nothing?',
      "hmac: 'sha-1', 'Jefe' | to_base16",
      'EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79',
    ],
    [
      'what do ya want for nothing?',
      "hmac: 'sha-512', 'Jefe' | to_base16",
      '164B7A7BFCF819E2E395FBE73B56E0A387BD64222E831FD610270CD7EA2505549758BF75C05A994A6D034F65F8F0E6FDCAEAB1A34D4A6B4B636E070A38BCE737',
    ],
    [
      'what do ya want for nothing?',
      "hmac: 'sha-256', 'Jefe' | to_base64",
      'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=',
    ],
    [4242, "hmac: 'sha-256', 'k' | to_base16 | size", 64],
  ],
  encoders: [
    ['foobar', 'to_base64', 'Zm9vYmFy'],
    ['foobar', 'to_base16', '666F6F626172'],
    ['é', 'to_base16', 'C3A9'],
    ['', 'to_base64', ''],
    [12, 'to_base16', '3132'],
  ],
};

const text = 'input must be text, a number or a boolean';

const errors: readonly ErrorRow[] = [
  [['a'], 'last4', new RegExp(text)],
  [{}, 'reveal: 1', new RegExp(text)],
  ['abc', 'reveal: -1', /reveal_first must be a whole number/],
  ['abc', 'reveal: 1.5', /reveal_first must be a whole number/],
  ['abc', "reveal: 1, 1, ''", /mask_char must be one character/],
  ['abc', "reveal: 1, 1, 'XX'", /mask_char must be one character/],
  ['abc', 'reveal: 1, 1, true', /mask_char must be text/],
  ['abc', 'reveal_last', /takes 1 to 2 arguments/],
  ['abc', "reveal_last: 'x'", /length must be a whole number/],
  ['abc', 'reveal_last: nil', /length must be a whole number/],
  [{}, 'reveal_last: 4', new RegExp(text)],
  ['abc', 'pad_left: 6', /takes 2 arguments/],
  ['abc', "pad_left: 6, 'ab'", /pad_char must be one character/],
  [[], "pad_right: 6, '0'", new RegExp(text)],
  ['yes', 'to_boolean', /must be "true" or "false"/],
  ['TRUE', 'to_boolean', /must be "true" or "false"/],
  [1, 'to_boolean', /must be "true" or "false"/],
  ['', 'to_number', /must be a number/],
  ['abc', 'to_number', /must be a number/],
  ['0x10', 'to_number', /must be a number/],
  ['Infinity', 'to_number', /must be a number/],
  ['1e999', 'to_number', /must be a number/],
  [' 42', 'to_number', /must be a number/],
  [true, 'to_number', /must be a number/],
  ['12345678901234567890', 'to_number', /more digits than a JSON number can hold/],
  [{}, 'to_string', new RegExp(text)],
  [['a'], 'to_string', new RegExp(text)],
  [product, 'json_stringify | upcase', /must be the last filter/],
  [product, 'json', /takes 1 argument/],
  [product, "json: ''", /not a valid JSONPath/],
  [product, "json: 'color'", /not a valid JSONPath/],
  [product, "json: '$.items[?'", /not a valid JSONPath/],
  [product, "json: '$.items[(@.length-1)]'", /not a valid JSONPath/],
  [product, 'json: 5', /path must be text/],
  [product, "json: '$.items[*].name'", /gives more than one value/],
  [product, "json: '$..*'", /gives more than one value/],
  ['text', "json: '$.a'", /must be an object or an array/],
  [5, "json: '$'", /must be an object or an array/],
  ['12345', 'card_bin', /must be a card number/],
  ['3622-7206-2716-5567', 'card_bin', /must be a card number/],
  ['4'.repeat(65), 'card_bin', /too long for a card number/],
  [card, "card_exp: 'DD'", /format must be one of MM, /],
  [card, "card_exp: 'toString'", /format must be one of MM, /],
  ['10/28', "card_exp: 'MM'", /must be a card/],
  [{ expiration_month: 13, expiration_year: 2030 }, "card_exp: 'MM'", /no valid expiration_month/],
  ['abc', 'card_mask', /must be a card number/],
  ['3622720627165567', "card_mask: 'yes'", /reveal_bin must be true or false/],
  ['abc', "alias_preserve_format: 'x'", /reveal_first must be a whole number/],
  ['abc', 'alias_preserve_format: 2, 1', /not longer than the part to reveal/],
  ['', 'alias_preserve_length', /not longer than the part to reveal/],
  [{}, 'alias_preserve_length', new RegExp(text)],
  ['4242424242', "alias_card: 'true', 'true'", /not longer than the part to reveal/],
  ['4242x4242', 'alias_card', /must be a card number/],
  ['abc', "hmac: 'sha-256', 'k'", /an encoder must follow/],
  ['abc', "hmac: 'sha-256', 'k' | upcase", /an encoder must follow/],
  ['abc', "hmac: 'md5', 'k' | to_base16", /algorithm must be/],
  ['abc', "hmac: 'sha-256' | to_base16", /takes 2 arguments/],
  [null, "hmac: 'sha-256', 'k' | to_base16", new RegExp(text)],
  [null, 'to_base16', new RegExp(text)],
  [null, 'to_base64', new RegExp(text)],
  [{}, 'to_base64', new RegExp(text)],
];

describe('filters', () => {
  for (const [name, rows] of Object.entries(vectors)) {
    describe(name, () => {
      for (const [input, filters, output] of rows) {
        it(`${brief(input)} | ${filters} -> ${brief(output)}`, () => {
          expect(evaluate(input, filters)).to.deep.equal(output);
        });
      }
    });
  }

  describe('refuse', () => {
    for (const [input, filters, message] of errors) {
      it(`${brief(input)} | ${filters}`, () => {
        expect(() => evaluate(input, filters)).to.throw(ExpressionEvaluationError, message);
      });
    }
  });
});

function evaluate(input: JsonValue, filters: string): JsonValue {
  const subject = new Subject(JSON.stringify(input));
  return JSON.parse(evaluateExpression(parseExpression(`some-id | ${filters}`), subject)) as JsonValue;
}

function brief(value: JsonValue): string {
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 40)}…` : json;
}
