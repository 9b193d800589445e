import { expect } from 'chai';
import fc from 'fast-check';

import { bodyGrammar } from './body-grammar.ts';
import { ExpressionError } from './expression-error.ts';
import { findExpressions } from './find-expressions.ts';
import type { Found } from './find-expressions.ts';

const form = bodyGrammar('application/x-www-form-urlencoded');

function fill(body: string, values: Readonly<Record<string, string>>): string {
  const found = findExpressions(form, Buffer.from(body));
  return found.fill(found.expressions.map((expression) => values[expression] ?? 'null')).toString();
}

/** What the body becomes with these JSON texts for its expressions. */
function fillWith(found: Found, ...values: readonly string[]): Buffer {
  return found.fill(values);
}

describe('form bodies', () => {
  const values = {
    s: '"4242"',
    q: '"a&b=c d+e%é"',
    n: '12.50',
    t: 'false',
    z: 'null',
    o: '{ "a": [1, 2] }',
    "id | json: '$.a&b'": '"x"',
  };
  const cases: readonly (readonly [string, string, string])[] = [
    ['a string', 'a={{s}}', 'a=4242'],
    ['percent-encoded braces', 'a=%7B%7b%20s+%7D}&b=%7B{s}}', 'a=4242&b=4242'],
    ['a value that has to be encoded', 'a={{q}}&z=1', 'a=a%26b%3Dc+d%2Be%25%C3%A9&z=1'],
    ['a number', 'a={{n}}', 'a=12.50'],
    ['a boolean', 'a={{t}}', 'a=false'],
    ['null as nothing', 'a={{z}}&b=', 'a=&b='],
    ['an object as compact JSON', 'a={{o}}', 'a=%7B%22a%22%3A%5B1%2C2%5D%7D'],
    ['text around', 'a=no.+{{s}}%21', 'a=no.+4242%21'],
    ['raw characters beyond ASCII around', 'a=é{{s}}', 'a=%C3%A94242'],
    ['keys with brackets', 'card[number]={{s}}&card%5Bcvc%5D=1', 'card[number]=4242&card%5Bcvc%5D=1'],
    ['no name', '={{s}}', '=4242'],
    ['a second equals sign', 'a=b={{s}}', 'a=b%3D4242'],
    ['an encoded ampersand in a filter', "a={{id | json: '$.a%26b'}}", 'a=x'],
    ['equal names', 'a={{s}}&a={{n}}', 'a=4242&a=12.50'],
  ];
  for (const [name, body, expected] of cases) {
    it(`fill in ${name}`, () => expect(fill(body, values)).to.equal(expected));
  }

  it('keep every other pair as it is, also what is badly encoded', () => {
    const body = 'x=%zz&&y&=&{{k}}=1&%7b%7b=%ff&a={{s}}&b=a+b%20c&é=%C3';
    expect(fill(body, values)).to.equal(body.replace('{{s}}', '4242'));
    expect(findExpressions(form, Buffer.from(body)).expressions).to.deep.equal(['s']);
  });

  it('are text where there is no pair, as the official client calls every text a form', () => {
    expect(fill('{{s}}', values)).to.equal('4242');
    expect(fill('{"a":"{{s}}+%zz","b":[{{n}}]}&', values)).to.equal('{"a":"4242+%zz","b":[12.50]}&');
    expect(fill('%7b%7bs%7d%7d', values)).to.equal('%7b%7bs%7d%7d');
    expect(() => findExpressions(form, Buffer.from('{{s'))).to.throw(ExpressionError);
  });

  it('never evaluate a name', () => {
    const body = Buffer.from('{{a}}&{{b}}=1&c{{=x');
    const found = findExpressions(form, body);
    expect(found.expressions).to.deep.equal([]);
    expect(fillWith(found)).to.equal(body);
  });

  for (const value of [
    '%zz{{s}}',
    '{{s}}%',
    '{{s}}%e',
    '%ff{{s}}',
    '{{s}}%C3',
    '%ED%A0%80{{s}}',
    '%C0%AF{{s}}',
  ]) {
    it(`refuse ${value}, naming where the value starts`, () => {
      expect(() => findExpressions(form, Buffer.from(`a=1&b=${value}&c=2`)))
        .to.throw(ExpressionError)
        .that.includes({ code: 'invalid_body', position: 6 });
    });
  }

  it('refuse an expression that is cut by an ampersand', () => {
    expect(() => findExpressions(form, Buffer.from("a={{id | json: '$.a&b'}}")))
      .to.throw(ExpressionError)
      .that.includes({ code: 'invalid_expression', position: 2 });
  });

  it('are the same pairs with the values in, whatever they hold', () => {
    const text = fc.string({ unit: 'binary' }).filter((s) => !s.includes('{'));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text, text)), (pairs) => {
        const body = new URLSearchParams(
          pairs.map(([name, before, after], i) => pair(name, `${before}{{t${i}}}${after}`)),
        );
        const texts = Object.fromEntries(pairs.map(([, , , value], i) => [`t${i}`, JSON.stringify(value)]));
        const filled = [...new URLSearchParams(fill(body.toString(), texts))];
        const wellFormed = new URLSearchParams(
          pairs.map(([name, before, after, value]) => pair(name, before + value + after)),
        );
        expect(filled).to.deep.equal([...wellFormed]);
      }),
    );
  });
});

function pair(name: string, value: string): [string, string] {
  return [name, value];
}
