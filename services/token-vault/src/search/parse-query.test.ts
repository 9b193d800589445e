import { expect } from 'chai';
import fc from 'fast-check';

import { parseQuery as parse } from './parse-query.ts';
import { type SearchQuery, SearchQueryError } from './query.ts';

const parseQuery = (text: string) => parse(text, 200);
const term = (field: string, value: string): SearchQuery => ({ kind: 'term', field, value });
const not = (of: SearchQuery): SearchQuery => ({ kind: 'not', of });
const and = (...of: SearchQuery[]): SearchQuery => ({ kind: 'and', of });
const or = (...of: SearchQuery[]): SearchQuery => ({ kind: 'or', of });
const range = (field: string, from: string, to: string, [opens, closes]: string): SearchQuery => ({
  kind: 'range',
  field,
  from: from === '*' ? undefined : { text: from, inclusive: opens === '[' },
  to: to === '*' ? undefined : { text: to, inclusive: closes === ']' },
});
const [a, b, c] = [term('a', '1'), term('b', '2'), term('c', '3')];

const rows: readonly (readonly [query: string, meaning: SearchQuery | undefined])[] = [
  ['', undefined],
  [' \t\n', undefined],
  ['type:card', term('type', 'card')],
  ['  type:card  ', term('type', 'card')],
  ['type: card', term('type', 'card')],
  ['data:"a phrase"', term('data', 'a phrase')],
  ['data:""', term('data', '')],
  [String.raw`data:"a \"quoted\" \\ one"`, term('data', String.raw`a "quoted" \ one`)],
  [String.raw`data:a\ b\:c\"`, term('data', 'a b:c"')],
  [String.raw`metadata.my\ key:x`, term('metadata.my key', 'x')],
  ['id:7b1f:9-c.d@e', term('id', '7b1f:9-c.d@e')],
  ['container:"/customer-1/*"', term('container', '/customer-1/*')],
  ['container:/customer-1/*', term('container', '/customer-1/*')],
  ['data:"*?~^[]{}()"', term('data', '*?~^[]{}()')],
  ['data:ANDROID', term('data', 'ANDROID')],
  ['data:and', term('data', 'and')],
  ['data:"AND"', term('data', 'AND')],
  ['data:Ünïcode🔑', term('data', 'Ünïcode🔑')],
  ['a:1 AND b:2', and(a, b)],
  ['a:1 && b:2', and(a, b)],
  ['a:1 OR b:2', or(a, b)],
  ['a:1 || b:2', or(a, b)],
  ['a:1 b:2', or(a, b)],
  ['a:1 OR b:2 AND c:3', or(a, and(b, c))],
  ['a:1 AND b:2 OR c:3', or(and(a, b), c)],
  ['(a:1 OR b:2) AND c:3', and(or(a, b), c)],
  ['(a:1 OR b:2)AND(c:3)', and(or(a, b), c)],
  ['NOT a:1', not(a)],
  ['!a:1', not(a)],
  ['-a:1', not(a)],
  ['NOT NOT a:1', not(not(a))],
  ['NOT(a:1 OR b:2)', not(or(a, b))],
  ['a:1 NOT b:2', and(a, not(b))],
  ['a:1 -b:2', and(a, not(b))],
  ['a:1 AND NOT b:2', and(a, not(b))],
  ['a:1 OR NOT b:2', or(a, not(b))],
  ['((((a:1))))', a],
  ['created_at:[2022-01-01 TO 2022-02-01]', range('created_at', '2022-01-01', '2022-02-01', '[]')],
  ['created_at:{2022-01-01 TO *}', range('created_at', '2022-01-01', '*', '{}')],
  ['created_at:[* TO 2022-01-01T00:00:00Z}', range('created_at', '*', '2022-01-01T00:00:00Z', '[}')],
  ['created_at:["2022-01-01" TO "2022-02-01"]', range('created_at', '2022-01-01', '2022-02-01', '[]')],
  ['a:1 AND created_at:[* TO *]', and(a, range('created_at', '*', '*', '[]'))],
];

const wrong: readonly (readonly [query: string, message: RegExp])[] = [
  ['card', /character 5: a field and a colon/],
  ['a:1 card', /a field and a colon/],
  ['"a phrase"', /character 1: a field and a colon/],
  [':x', /a field and a colon/],
  ['a:', /a value is expected/],
  ['a: AND b:2', /a value is expected/],
  ['a:)', /a value is expected/],
  ['a:(x)', /a value is expected/],
  ['a:1 AND', /a term is missing/],
  ['AND a:1', /a term is missing/],
  ['a:1 AND OR b:2', /a term is missing/],
  ['NOT', /a term is missing/],
  ['()', /a term is missing/],
  ['(a:1', /a bracket is not closed/],
  ['a:1)', /a bracket is closed that is not open/],
  ['a:"x', /a closing quote/],
  ['a:x\\', /after the backslash/],
  ['a:x*', /has to be quoted/],
  ['a:x?', /has to be quoted/],
  ['a:x~2', /has to be quoted/],
  ['a:x^2', /has to be quoted/],
  ['a:x]', /has to be quoted/],
  ['*:*', /has to be quoted/],
  ['created_at:[2022-01-01]', /"TO" is expected|the end of the range/],
  ['created_at:[2022-01-01 2022-01-02]', /"TO" is expected/],
  ['created_at:[2022-01-01 to 2022-01-02]', /"TO" is expected/],
  ['created_at:[2022-01-01 TO 2022-01-02', /the end of the range/],
  ['created_at:[2022-01-01 TO ]', /the end of the range/],
  ['created_at:[', /the end of the range/],
  [`a:${'x'.repeat(199)}`, /not be longer than 200/],
];

describe('parseQuery', () => {
  for (const [query, meaning] of rows) {
    it(`reads ${JSON.stringify(query)}`, () => expect(parseQuery(query)).to.deep.equal(meaning));
  }

  for (const [query, message] of wrong) {
    it(`refuses ${JSON.stringify(query).slice(0, 60)}`, () => {
      expect(() => parseQuery(query)).to.throw(SearchQueryError, message);
    });
  }

  it('never quotes the query', () => {
    for (const [query] of wrong) {
      const marked = query.replaceAll('x', 'CANARY').slice(0, 150);
      try {
        parseQuery(marked);
      } catch (error) {
        expect((error as Error).message).not.to.include('CANARY');
      }
    }
  });

  it('reads back any values that are quoted, with any of the operators', () => {
    const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (one, other) => {
        expect(parseQuery(`a:${quoted(one)} AND NOT b:${quoted(other)}`)).to.deep.equal(
          and(term('a', one), not(term('b', other))),
        );
      }),
    );
  });

  it('gives a meaning or an error for any text', () => {
    const piece = fc.constantFrom(
      ...[
        'a:1',
        ' ',
        'AND',
        'OR',
        'NOT',
        '(',
        ')',
        '"',
        '[',
        ']',
        '{',
        '}',
        ' TO ',
        '*',
        '\\',
        ':',
        '-',
        '!',
        '&&',
        '||',
        '\0',
        '🔑',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            parseQuery(text);
          } catch (error) {
            expect(error).to.be.instanceOf(SearchQueryError);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('reads the deepest query there can be', () => {
    expect(parse(`${'('.repeat(498)}a:1${')'.repeat(498)}`, 1000)).to.deep.equal(a);
    expect(() => parse('a:1', 2)).to.throw(SearchQueryError, 'must not be longer than 2 characters');
    expect(parseQuery(`${'('.repeat(98)}a:1${')'.repeat(98)}`)).to.deep.equal(a);
    expect(parseQuery(`${'!'.repeat(197)}a:1`)).to.have.property('kind', 'not');
  });
});
