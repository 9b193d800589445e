import { expect } from 'chai';
import fc from 'fast-check';

import { bodyGrammar } from './body-grammar.ts';
import { findExpressions } from './find-expressions.ts';

const text = bodyGrammar('text/plain');

function fill(body: string, values: Readonly<Record<string, string>>): string {
  const found = findExpressions(text, Buffer.from(body));
  return found.fill(found.expressions.map((expression) => values[expression] ?? 'null')).toString();
}

describe('text bodies', () => {
  const values = {
    s: '"4242"',
    q: '"a\\n\\"b\\"é"',
    n: '-1.50',
    t: 'true',
    z: 'null',
    o: '{ "a" : "b c" }',
    'é ü': '"x"',
  };
  const cases: readonly (readonly [string, string, string])[] = [
    ['a string', '<pan>{{s}}</pan>', '<pan>4242</pan>'],
    ['a string without its escapes', '[{{q}}]', '[a\n"b"é]'],
    ['a number', '{{n}}', '-1.50'],
    ['a boolean', '{{ t }}', 'true'],
    ['null as nothing', '<{{z}}>', '<>'],
    ['an object as compact JSON', '{{o}}', '{"a":"b c"}'],
    ['several in a row', '{{s}}{{n}}{{s}}', '4242-1.504242'],
    ['an id beyond ASCII', 'é{{ é ü }}é', 'éxé'],
    ['a byte order mark and line ends', '\uFEFFa\r\n{{s}}\0\r', '\uFEFFa\r\n4242\0\r'],
    ['single braces', '{ {a} } }} {{s}}} {', '{ {a} } }} 4242} {'],
    ['tags as text', '{% raw %}{{s}}{# c #}', '{% raw %}4242{# c #}'],
    [
      'escapes, which are none here',
      String.raw`\u007b\u007bs}} %7B%7Bs}} {{s}}`,
      String.raw`\u007b\u007bs}} %7B%7Bs}} 4242`,
    ],
  ];
  for (const [name, body, expected] of cases) {
    it(`fill in ${name}`, () => expect(fill(body, values)).to.equal(expected));
  }

  it('are the texts around with the values between them', () => {
    const around = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('{') && !s.startsWith('}'));
    fc.assert(
      fc.property(around, fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), around)), (first, rest) => {
        const body = first + rest.map(([, after], i) => `{{ t${i} }}${after}`).join('');
        const texts = Object.fromEntries(rest.map(([value], i) => [`t${i}`, JSON.stringify(value)]));
        expect(fill(body, texts)).to.equal(first + rest.map(([value, after]) => value + after).join(''));
      }),
    );
  });
});
