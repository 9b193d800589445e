import { expect } from 'chai';
import fc from 'fast-check';

import { type BodyGrammar, bodyGrammar } from './body-grammar.ts';
import { ExpressionError } from './expression-error.ts';
import { findExpressions } from './find-expressions.ts';
import type { Found } from './find-expressions.ts';
import { defaultLimits } from './limits.ts';

const json = bodyGrammar('application/json');

/** Fills a body with the JSON text that `values` has for each expression. */
function fill(body: string, values: Readonly<Record<string, string>>): string {
  const found = findExpressions(json, Buffer.from(body));
  return found.fill(found.expressions.map((expression) => values[expression] ?? 'null')).toString();
}

/** What the body becomes with these JSON texts for its expressions. */
function fillWith(found: Found, ...values: readonly string[]): Buffer {
  return found.fill(values);
}

describe('JSON bodies', () => {
  const values = {
    s: '"4242"',
    q: String.raw`"\"},{\\\u0001"`,
    n: '12',
    big: '12345678901234567890.10',
    t: 'true',
    z: 'null',
    o: ' { "b" : 1 , "a" : [ 1, "x y" ] } ',
    a: '[]',
    e: '""',
  };
  const cases: readonly (readonly [string, string, string])[] = [
    ['a string', '{"x":"{{s}}"}', '{"x":"4242"}'],
    ['a string in need of escapes', '{"x":"{{q}}"}', String.raw`{"x":"\"},{\\\u0001"}`],
    ['a number', '{"x":"{{n}}"}', '{"x":12}'],
    ['a number with all its digits', '{"x":"{{big}}"}', '{"x":12345678901234567890.10}'],
    ['a boolean', '["{{ t }}"]', '[true]'],
    ['null', '["{{z}}"]', '[null]'],
    ['an object as it is', '"{{o}}"', ' { "b" : 1 , "a" : [ 1, "x y" ] } '],
    ['an array', '["{{a}}"]', '[[]]'],
    ['a string beside text', '["no {{s}}."]', '["no 4242."]'],
    ['a string in need of escapes beside text', '[" {{q}}"]', String.raw`[" \"},{\\\u0001"]`],
    ['a number beside text', '["{{n}}%"]', '["12%"]'],
    ['a number with all its digits beside text', '[" {{big}}"]', '[" 12345678901234567890.10"]'],
    ['a boolean beside text', '["{{t}}!"]', '["true!"]'],
    ['null beside text as nothing', '["<{{z}}>"]', '["<>"]'],
    ['an empty string beside text', '["<{{e}}>"]', '["<>"]'],
    ['an object beside text as compact JSON', '["{{o}} "]', String.raw`["{\"b\":1,\"a\":[1,\"x y\"]} "]`],
    ['white space around as text', '[" {{n}}","{{n}}\\n"]', '[" 12","12\\n"]'],
    ['two expressions as text', '["{{n}}{{n}}","{{s}} {{q}}"]', String.raw`["1212","4242 \"},{\\\u0001"]`],
    ['escaped braces', String.raw`["\u007b\u007Bs\u007d}","{\u007b n }}"]`, '["4242",12]'],
    [
      'escapes in the text around',
      String.raw`["\u00e9\"\\ {{s}} \ud83d\ude00"]`,
      String.raw`["é\"\\ 4242 😀"]`,
    ],
    ['a lone surrogate in the text around', String.raw`["\ud800{{n}}"]`, String.raw`["\ud80012"]`],
    ['characters beyond ASCII in the text around', '["é {{s}} 😀\u2028"]', '["é 4242 😀\u2028"]'],
    ['braces that open nothing', '["}} {{n}}}"]', '["}} 12}"]'],
    ['tags as text', '["{% if a %}{{n}}"]', '["{% if a %}12"]'],
  ];
  for (const [name, body, expected] of cases) {
    it(`fill in ${name}`, () => {
      expect(fill(body, values)).to.equal(expected);
      JSON.parse(expected);
    });
  }

  it('hold an expression with quotes, pipes and braces in its filters', () => {
    const found = findExpressions(
      json,
      Buffer.from(String.raw`["{{ id | json: \"$.a}}|'\" | x: '}}\"' }}"]`),
    );
    expect(found.expressions).to.deep.equal([`id | json: "$.a}}|'" | x: '}}"'`]);
  });

  it('give each expression once, trimmed, in order', () => {
    const body = '{"a":"{{ b }}","c":["{{a}} {{b}}","{{b|x}}"],"d":"{{a }}"}';
    expect(findExpressions(json, Buffer.from(body)).expressions).to.deep.equal(['b', 'a', 'b|x']);
  });

  it('never evaluate the name of a member', () => {
    const body = '{"{{a}}":1,"{{b":"{{c}}"}';
    const found = findExpressions(json, Buffer.from(body));
    expect(found.expressions).to.deep.equal(['c']);
    expect(fillWith(found, '2').toString()).to.equal('{"{{a}}":1,"{{b":2}');
  });

  it('keep every byte outside of their expressions', () => {
    const around = ' {\r\n\t"a" : 1.0e+05 ,"a":12345678901234567890, "b":"\\u0041\\/", "c": ';
    expect(fill(`${around}"{{x}}" } `, { x: 'true' })).to.equal(`${around}true } `);
  });

  it('are not looked at when they hold no braces', () => {
    const body = Buffer.from('{not json');
    expect(fillWith(findExpressions(json, body))).to.equal(body);
  });

  it('have to be JSON even then, if that is asked for', () => {
    const find = (grammar: BodyGrammar, body: string) =>
      findExpressions(grammar, Buffer.from(body), defaultLimits, true);
    expect(find(json, '{"a":["{",1]}').expressions).to.deep.equal([]);
    for (const body of ['{not json', '', '[1] 2', '"\xff']) {
      expect(() => find(json, body), body)
        .to.throw(ExpressionError)
        .with.property('code', 'invalid_body');
    }
    expect(() => findExpressions(json, Buffer.from('"\xff"', 'latin1'), defaultLimits, true))
      .to.throw(ExpressionError)
      .with.property('code', 'invalid_body');
    expect(find({ kind: 'json', utf8: false }, '{not json').expressions).to.deep.equal([]);
    expect(find({ kind: 'text', utf8: true }, '{not json').expressions).to.deep.equal([]);
  });

  it('come back as they are when their braces are no expressions', () => {
    const body = Buffer.from('{"{{a}}":"}}"}');
    expect(fillWith(findExpressions(json, body))).to.equal(body);
  });

  it('are the same with the values in, whatever was around', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('{'));
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text, value)), (members) => {
        const input = members.map(([name, before, after], index) => ({
          [name]: `${before}{{ t${index} }}${after}`,
        }));
        const expected = members.map(([name, before, after, v]) => ({
          [name]: before === '' && after === '' ? v : before + textOf(v) + after,
        }));
        const texts = Object.fromEntries(members.map(([, , , v], index) => [`t${index}`, JSON.stringify(v)]));
        const filled: unknown = JSON.parse(fill(JSON.stringify(input), texts));
        expect(filled).to.deep.equal(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });

  it('get no member, no element and no string more through any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (value, mixed) => {
        const body = `{"a":"${mixed ? 'x' : ''}{{ t }}","b":[1]}`;
        const filled: unknown = JSON.parse(fill(body, { t: JSON.stringify(value) }));
        expect(filled).to.deep.equal({ a: (mixed ? 'x' : '') + value, b: [1] });
      }),
    );
  });
});

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
