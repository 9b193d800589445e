import { expect } from 'chai';

import { ExpressionEvaluationError } from './expression-error.ts';
import { parseExpression } from './parse.ts';

const uuid = '3f0c2a6f-9c1e-4d0a-8b77-77b0d0000000';

const references: readonly (readonly [
  text: string,
  kind: 'data' | 'token',
  id: string,
  filters: string[],
])[] = [
  [uuid, 'data', uuid, []],
  [`  ${uuid}\t`, 'data', uuid, []],
  [`${uuid}|last4`, 'data', uuid, ['last4']],
  [`${uuid} | json: '$.number' | last4`, 'data', uuid, ['json', 'last4']],
  ['ann.lee@example.org | last4', 'data', 'ann.lee@example.org', ['last4']],
  ['an id with spaces', 'data', 'an id with spaces', []],
  [`it's "quoted" | last4`, 'data', `it's "quoted"`, ['last4']],
  ['12345', 'data', '12345', []],
  ['data.number', 'data', 'data.number', []],
  ['proxy-1', 'data', 'proxy-1', []],
  ['residence', 'data', 'residence', []],
  ['configuration', 'data', 'configuration', []],
  ['token', 'data', 'token', []],
  [`token: ${uuid}`, 'token', uuid, []],
  [`token:${uuid}`, 'token', uuid, []],
  [` token:   ${uuid} | json: '$.data.number'`, 'token', uuid, ['json']],
  [`id-1 | append: '|' | append: "}}"`, 'data', 'id-1', ['append', 'append']],
  ['été-déjà', 'data', 'été-déjà', []],
];

const refused: readonly (readonly [text: string, message: RegExp])[] = [
  ['', /names no token/],
  ['   ', /names no token/],
  ['| last4', /names no token/],
  ['token:', /names no token/],
  ['token: | last4', /names no token/],
  ['ab', /does not begin with the id of a token/],
  ['a{b', /does not begin with the id of a token/],
  ['a/b', /does not begin with the id of a token/],
  ['a\u0000b', /does not begin with the id of a token/],
  ['abc\ud800', /does not begin with the id of a token/],
  ['x'.repeat(441), /does not begin with the id of a token/],
  ['x'.repeat(1025), /at most 1024 characters/],
  ['token: token: abc', /does not begin with the id of a token/],
  ['token_intent: abc', /names no token intent/],
  ['proxy', /over proxy are not supported/],
  ['proxy.request.headers.X', /over proxy are not supported/],
  ["encrypted | json: '$.data'", /over encrypted are not supported/],
  ['id-1 |', /cannot be read/],
  ['id-1 | | last4', /cannot be read/],
  ['id-1 || last4', /cannot be read/],
  ['id-1 | last4 last4', /cannot be read/],
  ['id-1 | last4)', /cannot be read/],
  ['id-1 | last4, last4', /cannot be read/],
  ['id-1 | last4: ', /cannot be read/],
  ['id-1 | reveal_last 4', /cannot be read/],
  ["id-1 | append: 'a',,'b'", /arguments cannot be read/],
  ["id-1 | append: 'a',", /arguments cannot be read/],
  ["id-1 | append: , 'a'", /arguments cannot be read/],
  ["id-1 | append: 'a' 'b'", /cannot be read/],
  ["id-1 | append: 'a", /unclosed quote/],
  [`id-1 | append: 'a"`, /unclosed quote/],
  ["id-1 | append: 'a\\'", /unclosed quote/],
  ["id-1 | append: '", /unclosed quote/],
  ['id-1 | append: (1..1000000000)', /neither a literal nor a property/],
  ['id-1 | append: empty', /neither a literal nor a property/],
  ['id-1 | append: data.x', /unknown variable; there is no variable here/],
  ['id-1 | append: "a"[0]', /property path that cannot be read/],
  ['id-1 | nope', /unknown filter/],
  ['id-1 | {% raw %}', /cannot be read/],
  [`id-1${' | last4'.repeat(17)}`, /at most 16 filters/],
  ["id-1 | default: 'x', allow_false: true, 'y'", /arguments cannot be read/],
];

describe('parseExpression', () => {
  for (const [text, kind, id, filters] of references) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const { reference, chain } = parseExpression(text);
      expect(reference).to.deep.equal({ kind, id });
      expect(chain.steps.map((step) => step.name)).to.deep.equal(filters);
    });
  }

  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text).slice(0, 60)}`, () => {
      expect(() => parseExpression(text)).to.throw(ExpressionEvaluationError, message);
    });
  }

  it('names an unknown filter, the expression and the nearest filter, and nothing that may be data', () => {
    const message = (text: string) => {
      try {
        parseExpression(text);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message(`id-1 | json: '$.number' | lst4`)).to.equal(
      'The expression {{ id-1 | json: … | lst4 }} names the unknown filter lst4. Did you mean last4?',
    );
    expect(message(`id-1 | apend: '4242424242424242', 'key' | upcase`)).to.equal(
      'The expression {{ id-1 | apend: … | upcase }} names the unknown filter apend. Did you mean append?',
    );
    expect(message('id-1 | RevealLast: 4')).to.match(/Did you mean reveal_last\?$/);
    expect(message('id-1 | quite_another_thing')).to.match(/unknown filter quite_another_thing\.$/);
    expect(message(`${'i'.repeat(400)} | ${'n'.repeat(500)} | ${'m'.repeat(500)}`)).to.have.length.below(350);
  });

  it('reads what is named beside tokens, where it is bound', () => {
    const named = (text: string) => parseExpression(text, ['proxy']).reference;
    expect(named('config: A KEY | last4')).to.deep.equal({ kind: 'config', name: 'A KEY' });
    expect(named("transform_identifier: 'made' | json: '$.id'")).to.deep.equal({
      kind: 'made',
      name: 'made',
    });
    expect(named('proxy.request.headers.X-Date')).to.deep.equal({
      kind: 'variable',
      operand: { kind: 'path', variable: 'proxy', steps: ['request', 'headers', 'X-Date'] },
    });
    expect(() => named('res.number')).to.throw(/over res are not supported/);
    expect(() => named('proxy.a b')).to.throw(/cannot be read/);
  });

  it('answers a 400 that tells nothing of what may be data or a key', () => {
    for (const text of ["id-1 | hmac: 'sha-256', 'sesame' | upcase", "id-1 | open: 'sesame'", 'sesame/']) {
      try {
        parseExpression(text);
        expect.fail('accepted');
      } catch (error) {
        if (!(error instanceof ExpressionEvaluationError)) throw error;
        expect(error.code).to.equal('invalid_argument');
        expect(`${error.message} ${String(error.cause)}`).not.to.include('sesame');
      }
    }
  });

  it('reads the same filters once', () => {
    const one = parseExpression("id-one | json: '$.a' | last4");
    expect(parseExpression("id-two| json: '$.a' | last4 ").chain).to.equal(one.chain);
  });

  it('refuses a path of a variable that cannot be read', () => {
    for (const text of ['proxy[', 'proxy[0', "proxy['a", 'proxy.', 'proxy.a b']) {
      expect(() => parseExpression(text, ['proxy']), text).to.throw(
        ExpressionEvaluationError,
        'The expression holds a property path that cannot be read.',
      );
    }
  });

  it('goes by the limits that are set', () => {
    const limits = { length: 30, filters: 2, indexLength: 1 };
    const read = (text: string) => parseExpression(text, [], limits);
    expect(read('id-1 | upcase | strip').chain.steps).to.have.length(2);
    expect(() => read('id-1 | upcase|strip|size')).to.throw('An expression may have at most 2 filters.');
    expect(() => read('id-1 | upcase                  ')).to.throw(
      'An expression may have at most 30 characters.',
    );
  });
});
