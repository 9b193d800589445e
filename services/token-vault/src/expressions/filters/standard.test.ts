import { expect } from 'chai';

import type { JsonValue } from '../../values/json-value.ts';
import { Subject, evaluateExpression } from '../evaluate.ts';
import { ExpressionEvaluationError } from '../expression-error.ts';
import { WorkBudget } from '../expression-limits.ts';
import { parseExpression } from '../parse.ts';
import { filters } from './registry.ts';

type Row = readonly [input: JsonValue, filters: string, output: JsonValue];

const people = [
  { name: 'bob', age: 5, on: true },
  { name: 'Ann', age: 9 },
  { name: 'carl', age: 7, on: false },
];

const rows: readonly Row[] = [
  ['ann lee', 'capitalize', 'Ann lee'],
  ['ABC', 'downcase', 'abc'],
  ['abc', 'upcase', 'ABC'],
  [null, 'upcase', ''],
  [12, 'upcase', '12'],
  [true, 'append: "!"', 'true!'],
  ['  a  ', 'strip', 'a'],
  ['  a  ', 'lstrip', 'a  '],
  ['  a  ', 'rstrip', '  a'],
  ['a\nb\r\nc', 'strip_newlines', 'abc'],
  ['a\nb', 'newline_to_br', 'a<br />\nb'],
  [' a   b ', 'squish', 'a b'],
  ['<a & b>', 'escape', '&lt;a &amp; b&gt;'],
  ['&lt;a & b', 'escape_once', '&lt;a &amp; b'],
  ['<b>x</b>', 'strip_html', 'x'],
  ['a b&c', 'url_encode', 'a+b%26c'],
  ['a+b%26c', 'url_decode', 'a b&c'],
  ['foobar', 'base64_encode', 'Zm9vYmFy'],
  ['Zm9vYmFy', 'base64_decode', 'foobar'],
  ['a', "append: 'b'", 'ab'],
  ['a', "prepend: 'b'", 'ba'],
  ['123-45-6789', "remove: '-'", '123456789'],
  ['a-b-c', "remove_first: '-'", 'ab-c'],
  ['a-b-c', "remove_last: '-'", 'a-bc'],
  ['a-b-c', "replace: '-', '+'", 'a+b+c'],
  ['a-b-c', "replace: '-'", 'abc'],
  ['a-b-c', "replace_first: '-', '+'", 'a+b-c'],
  ['a-b-c', "replace_last: '-', '+'", 'a-b+c'],
  ['ann.lee@example.org', "split: '@'", ['ann.lee', 'example.org']],
  ['ann.lee@example.org', "split: '@' | first", 'ann.lee'],
  ['ann.lee@example.org', "split: '@' | last", 'example.org'],
  ['abc', "split: ''", ['a', 'b', 'c']],
  ['Ground control to Major Tom.', 'truncate: 20', 'Ground control to...'],
  ['Ground control to Major Tom.', "truncate: 25, ', and so on'", 'Ground control, and so on'],
  ['Ground control to Major Tom.', 'truncatewords: 3', 'Ground control to...'],
  [-17, 'abs', 17],
  ['-19.86', 'abs', 19.86],
  [1.2, 'ceil', 2],
  [1.9, 'floor', 1],
  [1.27, 'round', 1],
  [183.357, 'round: 2', 183.36],
  [4, 'at_least: 5', 5],
  [4, 'at_most: 3', 3],
  [16, 'divided_by: 4', 4],
  [4, 'minus: 2', 2],
  [24, 'modulo: 7', 3],
  ['183', 'plus: 12', 195],
  [3, 'times: 2', 6],
  [['a', null, 'b'], 'compact', ['a', 'b']],
  [['a', 'b'], 'reverse', ['b', 'a']],
  [['a', 'b', 'a', 1, 1], 'uniq', ['a', 'b', 1]],
  [['a', 'b'], "join: '-'", 'a-b'],
  [['a', 'b'], 'join', 'a b'],
  [null, 'join', ''],
  [['a', 'b'], 'first', 'a'],
  [['a', 'b'], 'last', 'b'],
  [[], 'first', null],
  ['abc', 'first', 'a'],
  [null, 'first', ''],
  ['abc', 'size', 3],
  [['a', 'b'], 'size', 2],
  ['hello', 'slice: 0', 'h'],
  ['hello', 'slice: 0, 1', 'h'],
  ['hello', 'slice: -2, 2', 'lo'],
  ['hello', 'slice: 2, 100', 'llo'],
  ['hello', 'slice: -9, 2', ''],
  ['hello', 'slice: 9', ''],
  ['hello', 'slice: 1, -1', ''],
  [['a', 'b', 'c'], 'slice: 1, 2', ['b', 'c']],
  [12345, 'slice: 0, 2', '12'],
  [null, 'slice: 0', ''],
  [['b', 'C', 'a', null, 'B'], 'sort', ['B', 'C', 'a', 'b', null]],
  [['b', 'C', 'a', 'B'], 'sort_natural', ['a', 'b', 'B', 'C']],
  [[10, 9, 2], 'sort', [2, 9, 10]],
  [['1', 2, null, 1], 'sort', [1, 2, '1', null]],
  [people, "sort: 'age' | map: 'name'", ['bob', 'carl', 'Ann']],
  [people, "sort_natural: 'name' | map: 'name'", ['Ann', 'bob', 'carl']],
  [people, "map: 'on'", [true, null, false]],
  [people, "sum: 'age'", 21],
  [[1, '2', 'x', null], 'sum', 3],
  [people, "where: 'on' | map: 'name'", ['bob']],
  [people, "where: 'age', 7 | map: 'name'", ['carl']],
  [people, "reject: 'on' | map: 'name'", ['Ann', 'carl']],
  [people, "find: 'age', 9", { name: 'Ann', age: 9 }],
  [people, "find: 'age', 1", null],
  [people, "find_index: 'age', 9", 1],
  [people, "find_index: 'age', 1", null],
  [people, "has: 'age', 9", true],
  [null, "map: 'a'", []],
  [null, "default: 'x'", 'x'],
  ['', "default: 'x'", 'x'],
  [[], "default: 'x'", 'x'],
  [false, "default: 'x'", 'x'],
  [false, "default: 'x', allow_false: true", false],
  [0, "default: 'x'", 0],
  ['a', "default: 'x'", 'a'],
];

const refused: readonly (readonly [input: JsonValue, filters: string, message: RegExp])[] = [
  [{ a: 1 }, 'upcase', /must be text/],
  [['a'], "append: 'b'", /must be text/],
  ['a', 'reverse', /must be an array/],
  ['a', "join: '-'", /must be an array/],
  ['a', "map: 'x'", /must be an array/],
  ['a', 'sort', /must be an array/],
  [[{ a: 1 }], 'sort', /sorts text, numbers and booleans only/],
  [[{ a: [1] }], "sort: 'a'", /sorts text, numbers and booleans only/],
  [{ a: 1 }, 'slice: 0', /must be text or an array/],
  ['a', 'slice: 0.5', /begin must be a whole number/],
  [5, 'divided_by: 0', /its result is not a number/],
  [5, 'modulo: 0', /its result is not a number/],
  [1e300, 'times: 1e300', /unknown variable/],
  ['%E0%A4%A', 'url_decode', /cannot be applied/],
  ['!!!!', 'base64_decode', /cannot be applied/],
  [people, "where: 'age', 7, 8", /takes 1 to 2 arguments/],
  [people, "where: 'age', value: 7", /no argument of that name/],
  ['now', "date: '%Y'", /unknown filter/],
  ['a', 'raw', /unknown filter/],
  ['a', 'inspect', /unknown filter/],
  [people, "where_exp: 'x', 'x.age > 1'", /unknown filter/],
  [people, 'sample', /unknown filter/],
  ['a', 'constructor', /unknown filter/],
  ['a', '__proto__', /unknown filter/],
];

describe('standard filters', () => {
  for (const [input, chain, output] of rows) {
    it(`${JSON.stringify(input).slice(0, 40)} | ${chain}`, () => {
      expect(evaluate(input, chain)).to.deep.equal(output);
    });
  }

  for (const [input, chain, message] of refused) {
    it(`refuse ${JSON.stringify(input).slice(0, 40)} | ${chain}`, () => {
      expect(() => evaluate(input, chain)).to.throw(ExpressionEvaluationError, message);
    });
  }

  it('do not change what they are given', () => {
    const list = JSON.stringify([3, 1, 2, null]);
    const subject = new Subject(list);
    for (const chain of ['sort', 'reverse', 'compact', 'uniq', 'concat: nil']) {
      try {
        evaluateExpression(parseExpression(`some-id | ${chain}`), subject);
      } catch {
        // Some refuse their arguments; what matters is below.
      }
      expect(JSON.stringify(subject.value(new WorkBudget())), chain).to.equal(list);
    }
  });

  it('include every one that Liquid documents for text, arrays and numbers', () => {
    const documented =
      'abs append at_least at_most capitalize ceil compact concat default divided_by downcase escape escape_once find ' +
      'find_index first floor has join last lstrip map minus modulo newline_to_br plus prepend reject remove ' +
      'remove_first remove_last replace replace_first replace_last reverse round rstrip size slice sort sort_natural ' +
      'split strip strip_html strip_newlines sum times truncate truncatewords uniq upcase url_decode url_encode where';
    for (const name of documented.split(' ')) expect(filters.has(name), name).to.equal(true);
  });
});

function evaluate(input: JsonValue, chain: string): JsonValue {
  const subject = new Subject(JSON.stringify(input));
  return JSON.parse(evaluateExpression(parseExpression(`some-id | ${chain}`), subject)) as JsonValue;
}
