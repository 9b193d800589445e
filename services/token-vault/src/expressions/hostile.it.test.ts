import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { Subject, evaluateExpression } from './evaluate.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { WorkBudget, most } from './expression-limits.ts';
import { parseExpression } from './parse.ts';
import { compileTemplate, evaluateTemplate } from './template.ts';

/** CPU time that one hostile evaluation may take: some 20 times what it does on a machine that is idle. */
const maxCpuMs = 1500;

const mebibyte = 1024 * 1024;
const longText = 'a'.repeat(mebibyte - 2);
const newlines = '\n'.repeat(mebibyte / 2 - 2);
const manyNumbers = Array.from({ length: 500_000 }, () => 1);
const manyObjects = Array.from({ length: 100_000 }, () => ({ a: 1 }));
const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as JsonValue;
const deeper = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`) as JsonValue;
const wideAndDeep = Array.from({ length: 10_000 }, () => deep);
const twins = {
  list: manyObjects.slice(0, 20_000),
  one: manyNumbers.slice(0, 200_000),
  two: manyNumbers.slice(0, 200_000),
};
const longAndShort = ['a'.repeat(mebibyte / 2), ...Array.from({ length: 100_000 }, () => 'A')];

/** Each would cost minutes or gigabytes in a filter without a limit. */
const attacks: readonly (readonly [what: string, data: JsonValue, filters: string])[] = [
  ['padding to a gigabyte', 'x', "pad_left: 1000000000, '0'"],
  ['padding to 64 KiB again and again', 'x', Array(16).fill("pad_right: 65536, '0'").join(' | ')],
  ['padding with a fraction', 'x', "pad_left: 0.5, '0'"],
  ['masking a long text again and again', longText, Array(16).fill('reveal: 1').join(' | ')],
  ['replacing every character of a long text', longText, `replace: 'a', '${'b'.repeat(900)}'`],
  ['replacing nothing by much', longText, `replace: '', '${'b'.repeat(900)}'`],
  [
    'replacing twice',
    'a'.repeat(900),
    Array(8)
      .fill(`replace: 'a', '${'a'.repeat(90)}'`)
      .join(' | '),
  ],
  ['splitting and joining', longText, `split: '' | join: '${'b'.repeat(900)}'`],
  ['splitting and joining, again and again', longText, Array(8).fill("split: '' | join: ''").join(' | ')],
  ['splitting into the longest list', longText, "split: ''"],
  ['appending to a long text', longText, Array(16).fill("append: 'x'").join(' | ')],
  ['breaking lines', newlines, Array(16).fill('newline_to_br').join(' | ')],
  ['escaping', '&'.repeat(mebibyte), Array(16).fill('escape').join(' | ')],
  ['encoding', longText, Array(16).fill('to_base16').join(' | ')],
  ['encoding as base64', longText, Array(16).fill('base64_encode').join(' | ')],
  ['encoding for URLs', '%'.repeat(mebibyte), Array(16).fill('url_encode').join(' | ')],
  ['hashing', longText, Array(8).fill("hmac: 'sha-512', 'k' | to_base16").join(' | ')],
  ['randomizing a long text', longText, 'alias_preserve_length'],
  ['randomizing again and again', 'a'.repeat(70_000), Array(16).fill('alias_preserve_format').join(' | ')],
  ['sorting a list with one huge text', longAndShort, 'sort_natural'],
  ['sorting lists', Array.from({ length: 1000 }, () => manyNumbers.slice(0, 500)), 'sort'],
  ['sorting again and again', manyNumbers, Array(16).fill('sort').join(' | ')],
  ['a property name of many parts', manyObjects, `map: '${'a.'.repeat(450)}'`],
  ['picking by a property name of many parts', manyObjects, `where: '${'a.'.repeat(450)}'`],
  ['joining nested lists', wideAndDeep, "join: 'x'"],
  ['a list in itself', manyNumbers, Array(16).fill('concat: nil').join(' | ')],
  ['slicing to a huge length', longText, 'slice: 0, 9007199254740991'],
  ['truncating to a huge length', longText, 'truncate: 9007199254740991'],
  ['rounding to a huge number of digits', 1.5, 'round: 999999999'],
  ['a huge product', 1e15, Array(16).fill('times: 99999999999999999999').join(' | ')],
  ['text out of a deep value', deeper, 'stringify'],
];

const paths: readonly (readonly [what: string, data: JsonValue, path: string])[] = [
  ['every descendant of every descendant', wideAndDeep, '$..*..*..*..nothing'],
  ['descendants, eight times over', wideAndDeep, `$${'..*'.repeat(8)}..nothing`],
  ['the same selector many times', deep, `$${'[0,0,0,0]'.repeat(30)}.nothing`],
  ['many wildcards', deep, `$${'[*,*,*,*]'.repeat(50)}.nothing`],
  ['counting everything at everything', manyObjects, '$..[?count($..*) < 0]'],
  ['counting within counting', manyObjects, '$[?count($[?count($[?count($..*) < 0]) < 0]) < 0]'],
  ['comparing large values at everything', twins, '$..[?$.one != $.two]'],
  ['measuring a large value at everything', twins, '$..[?length($.list) < 0]'],
  ['a long filter at everything', manyObjects, `$..[?${Array(100).fill('@.b').join('||')}]`],
  ['slices', manyNumbers, '$[::1][0]'],
  ['backward slices', manyNumbers, `$${'[::-1]'.repeat(50)}`],
  ['a list too long for one call', manyNumbers, '$[?@ > 1]'],
  ['a regular expression', { a: 'a'.repeat(50) }, "$[?match(@, '(a+)+b')]"],
  ['another regular expression', { a: 'a'.repeat(50) }, "$[?search(@, '(a|a)*b')]"],
  ['a deep value', deeper, '$..nothing'],
  ['deep brackets', deep, `$[?${'('.repeat(480)}@${')'.repeat(480)}]`],
  ['deep filters', deep, `$${'[?@'.repeat(330)}`],
  ['many negations', deep, `$[?${'!'.repeat(900)}@]`],
];

describe('a hostile expression', () => {
  for (const [what, data, filters] of attacks) {
    it(`cannot cost much by ${what}`, () => {
      expectBounded(data, `id-1 | ${filters}`);
    });
  }

  for (const [what, data, path] of paths) {
    it(`cannot cost much by a path with ${what}`, () => {
      expectBounded(data, `id-1 | json: "${path}"`);
    });
  }

  it('cannot cost much by an argument that comes from the data', () => {
    const variables = { data: { text: longText, name: 'a.'.repeat(mebibyte / 2), list: manyObjects } };
    const templates = [
      "{{ data.text | replace: 'a', data.text }}",
      "{{ data.text | split: '' | join: data.text }}",
      '{{ data.text | append: data.text | append: data.text | append: data.text }}',
      '{{ data.text }}{{ data.text }}{{ data.text }}{{ data.text }}{{ data.text }}',
      '{{ data.list | map: data.name }}',
      '{{ data.list | where: data.name }}',
      '{{ data.list | sum: data.name }}',
      '{{ data.list | concat: data.list | concat: data.list | concat: data.list | concat: data.list }}',
      '{{ data.text | truncate: 5, data.text }}',
      '{{ data.text | reveal: 1, 1, "X", data.text }}',
    ];
    for (const template of templates) {
      expectCheap(() => {
        JSON.stringify(evaluateTemplate(compileTemplate(template, ['data']), variables, new WorkBudget()));
      }, template);
    }
  });

  it('is refused before anything else when it is long', () => {
    expectBounded('x', `id-1 ${"| append: 'x'".repeat(100_000)}`);
    expectBounded('x', `id-1 | append: ${'data['.repeat(200_000)}`);
  });

  it('cannot nest so deep that reading it overflows', () => {
    expectBounded('x', `id-1 | append: ${'x['.repeat(500)}`);
    expectBounded('x', `id-1 | append: ${'('.repeat(1000)}`);
  });

  it('overflows nothing either where an operator lets it be as long as it can be', () => {
    const nest = (open: string, inner: string, close: string) => {
      const levels = Math.floor((most.length - 40 - inner.length) / (open.length + close.length));
      return `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
    };
    const long = (text: string) => text.slice(0, most.length - 40);
    const expressions = [
      nest('proxy[', '0', ']'),
      `proxy${nest('[', '0', ']')}`,
      long(`proxy${'.a'.repeat(2000)}`),
      long(`proxy${'[0]'.repeat(2000)}`),
      long(`proxy${'['.repeat(4000)}`),
      long(`proxy${'("'.repeat(4000)}`),
      long(`id-1 | append: ${nest('proxy[', '0', ']')}`),
      long(`id-1 | append: ${'('.repeat(4000)}`),
      long(`id-1 | append: ${'x['.repeat(2000)}`),
      `id-1 | json: '${long('$' + '.a'.repeat(2000))}'`,
      `id-1 | json: '${long('$[?' + '('.repeat(4000))}'`,
      `id-1 | json: '$[?${nest('(', '@.a', ')').slice(0, -80)}]'`,
      `id-1 | json: '${nest('$[?', '@', ']').slice(0, 4000)}'`,
      `id-1 | json: '${nest('$[?@', '.a', ']')}'`,
      `id-1 | json: '${long('$' + '..*'.repeat(1400))}'`,
      `id-1 | json: '$[?${'!'.repeat(3900)}@.a]'`,
      `id-1 | json: '$[?${nest('count(@[?', '@.a', '])')}]'`,
      `id-1${' | json_stringify'.repeat(most.filters)}`,
      `id-1${" | append: 'xxxxxxxxxxxxxxxxxx'".repeat(most.filters)}`,
      `id-1${" | pad_right: 65536, '0'".repeat(most.filters)}`,
      `id-1${' | reverse'.repeat(most.filters)}`,
      `id-1${' | to_base16'.repeat(most.filters)}`,
    ];
    const proxy = { a: deeper };
    for (const expression of expressions) {
      expect(expression.length, expression.slice(0, 40)).to.be.at.most(most.length);
      for (const data of ['x', { a: 1 }, wideAndDeep] as JsonValue[]) {
        const subject = new Subject(JSON.stringify(data));
        expectCheap(() => {
          evaluateExpression(parseExpression(expression, ['proxy'], most), subject, new WorkBudget(), {
            proxy,
          });
        }, expression);
      }
      const inner = expression
        .slice(0, most.length - 40)
        .replace(/^id-1/, 'data')
        .replaceAll('proxy', 'data');
      expectCheap(() => {
        evaluateTemplate(
          compileTemplate(`{{ ${inner} }}`, ['data']),
          { data: { a: deeper } },
          new WorkBudget(),
        );
      }, inner);
    }
  });

  it('cannot make a text longer than it was beyond 64 KiB', () => {
    const attempt = (data: string, filters: string): string =>
      evaluateExpression(parseExpression(`id-1 | ${filters}`), new Subject(JSON.stringify(data)));
    expect(attempt('x'.repeat(32_768), 'to_base16')).to.have.length(65_538);
    expect(() => attempt('x'.repeat(32_769), 'to_base16')).to.throw(
      ExpressionEvaluationError,
      'Filter to_base16: its result is longer than 65536 characters.',
    );
    expect(attempt('x'.repeat(200_000), 'upcase')).to.have.length(200_002);
  });
});

/** Either a result or the one error, in bounded time, and a result no longer than a token can be. */
function expectBounded(data: JsonValue, expression: string): void {
  const subject = new Subject(JSON.stringify(data));
  expectCheap(() => {
    const result = evaluateExpression(parseExpression(expression), subject);
    expect(result.length).to.be.lessThan(4 * mebibyte);
  }, expression);
}

function expectCheap(action: () => void, what: string): void {
  const before = process.cpuUsage();
  try {
    action();
  } catch (error) {
    if (!(error instanceof ExpressionEvaluationError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000, what.slice(0, 200)).to.be.lessThan(maxCpuMs);
}
