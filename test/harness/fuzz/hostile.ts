import fc from 'fast-check';

/** Texts that programs stumble over. */
const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b',
  '💳'.repeat(200),
  'x'.repeat(10_000),
  '../../etc/passwd',
  "'; DROP TABLE token; --",
  '<script>alert(1)</script>',
  '{{',
  '{{ }}',
  '{{ a | b: }}',
  "{{ data | json: '$..*' }}",
  '{% raw %}',
  '${7*7}',
  '__proto__',
  'constructor',
  'NaN',
  '1e400',
  '-1',
  '9'.repeat(400),
  'null',
  'true',
  '2022-02-30T25:61:61Z',
  '*',
  '"',
  '\\',
  '\r\nSVC-API-KEY: x',
  'https://user:pass@[::1]:99999/%zz',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'javascript:alert(1)',
];

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

/** Values that belong nowhere. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...texts),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    -0,
    [],
    {},
    [[]],
    [null],
    nested(200),
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"x":1}}'), { '': '' }, { a: { b: { c: null } } }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
