import { expect } from 'chai';
import fc from 'fast-check';

import { bodyGrammar } from './body-grammar.ts';
import { ExpressionError } from './expression-error.ts';
import type { ExpressionErrorCode } from './expression-error.ts';
import { findExpressions, findInPieces } from './find-expressions.ts';
import type { Found } from './find-expressions.ts';
import { defaultLimits } from './limits.ts';
import type { Limits } from './limits.ts';

const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
} as const;
type Kind = keyof typeof types;
const kinds = Object.keys(types) as Kind[];

/** A body of this kind whose only value is `text`, and the offset at which an error in it is placed. */
function bodyWith(kind: Kind, text: string): readonly [Buffer, number] {
  if (kind === 'json') return [Buffer.from(`[${JSON.stringify(text)}]`), 1];
  if (kind === 'form') return [Buffer.from(`a=${encodeURIComponent(text)}`), 2];
  return [Buffer.from(text), text.indexOf('{{')];
}

function find(type: string, body: Buffer, limits: Partial<Limits> = {}) {
  return findExpressions(bodyGrammar(type), body, { ...defaultLimits, ...limits });
}

/** What the body becomes with these JSON texts for its expressions. */
function fillWith(found: Found, ...values: readonly string[]): Buffer {
  return found.fill(values);
}

function expectError(action: () => unknown, code: ExpressionErrorCode, position?: number): void {
  const expected = position === undefined ? { code } : { code, position };
  expect(action).to.throw(ExpressionError).that.includes(expected);
}

describe('findExpressions', () => {
  const invalid: readonly (readonly [string, string])[] = [
    ['an unclosed expression', 'a {{ id'],
    ['one closed by a single brace', 'a {{ id }'],
    ['one whose head holds a brace', 'a {{ i{d }}'],
    ['one whose head holds a closing brace', 'a {{ i}d }}'],
    ['one whose filters hold a brace', 'a {{ id | f: { }}'],
    ['four opening braces', 'a {{{{ id }}}}'],
    ['three opening braces', 'a {{{id}}}'],
    ['one within another', 'a {{ id | f: {{ other }} }}'],
    ['an unclosed quote', "a {{ id | json: '$.a }}"],
    ['a quote closed by the other', `a {{ id | json: '$.a" }}`],
    ['an empty one', 'a {{}}'],
    ['a blank one', 'a {{ \n }}'],
    ['one without a head', 'a {{ | upcase }}'],
    ['a whole-token one without an id', 'a {{ token: | json: "$" }}'],
    ['one that is too long', `a {{${'x'.repeat(5000)}}}`],
  ];
  for (const [name, text] of invalid) {
    for (const kind of kinds) {
      it(`refuses ${name} in ${kind}, naming its place`, () => {
        const [body, position] = bodyWith(kind, text);
        expectError(() => find(types[kind], body), 'invalid_expression', position);
      });
    }
  }

  for (const kind of kinds) {
    it(`takes quotes in a token id of ${kind} for what they are`, () => {
      const [body] = bodyWith(kind, `{{ o'brien }} {{ 5" | last4 }}`);
      expect(find(types[kind], body).expressions).to.deep.equal(["o'brien", '5" | last4']);
    });

    it(`counts each occurrence in ${kind} against the limit`, () => {
      const [body] = bodyWith(kind, '{{a}}'.repeat(10));
      expect(find(types[kind], body, { maxExpressions: 10 }).expressions).to.deep.equal(['a']);
      expectError(() => find(types[kind], body, { maxExpressions: 9 }), 'too_many_expressions');
    });

    it(`refuses invalid UTF-8 in ${kind} that holds braces, and passes it otherwise`, () => {
      const [body] = bodyWith(kind, '{{a}} x');
      body[body.indexOf('x')] = 0xff;
      expectError(() => find(types[kind], body), 'invalid_body');
      const harmless = Buffer.from([0xff, 0x7b, 0xc3]);
      expect(fillWith(find(types[kind], harmless))).to.equal(harmless);
    });

    it(`refuses braces in ${kind} of another charset, and passes it otherwise`, () => {
      const [body] = bodyWith(kind, '{{a}}');
      for (const charset of ['utf-16', 'iso-8859-1']) {
        expectError(() => find(`${types[kind]}; charset=${charset}`, body), 'unsupported_charset');
      }
      const harmless = Buffer.from('é', 'latin1');
      expect(fillWith(find(`${types[kind]}; charset=iso-8859-1`, harmless))).to.equal(harmless);
      expectError(
        () => find(`${types[kind]}; charset=utf-16le`, Buffer.from('{{a}}', 'utf16le')),
        'unsupported_charset',
      );
    });

    it(`refuses to fill ${kind} beyond the limit, before memory is gone`, () => {
      const [body] = bodyWith(kind, `x${'{{a}}'.repeat(1000)}`);
      const value = JSON.stringify('"'.repeat(1_000_000));
      expectError(() => fillWith(find(types[kind], body), value), 'too_large');
      const [small] = bodyWith(kind, '{{a}}');
      expect(fillWith(find(types[kind], small, { maxFilledBytes: 7 }), '"abc"').toString()).to.include('abc');
      expectError(() => fillWith(find(types[kind], small, { maxFilledBytes: 7 }), '"abcdefgh"'), 'too_large');
    });

    it(`gives back a ${kind} body without expressions as it is`, () => {
      const piece = fc.constantFrom('{', '}}', '"', '\\', '&', '=', '%', '%7b', 'a', 'é', '\r\n');
      fc.assert(
        fc.property(
          fc.string({ unit: piece }).filter((text) => !/(?:\{|%7b){2}/.test(text)),
          (text) => {
            const body = Buffer.from(text);
            expect(fillWith(find(types[kind], body))).to.equal(body);
          },
        ),
      );
    });
  }

  it('passes a binary body, whatever it holds', () => {
    const body = Buffer.from('{{a}} {{');
    const found = find('application/octet-stream', body);
    expect(found.expressions).to.deep.equal([]);
    expect(fillWith(found)).to.equal(body);
  });

  it('wants as many values as it found expressions, each of them JSON, and repeats none in an error', () => {
    const found = find('text/plain', Buffer.from('{{a}}{{b}}'));
    expect(() => fillWith(found, '1')).to.throw(TypeError);
    expect(() => fillWith(found, '1', '2', '3')).to.throw(TypeError);
    expect(() => fillWith(found, '1', '4242secret'))
      .to.throw(TypeError)
      .that.satisfies(({ message, cause }: TypeError) => !message.includes('secret') && cause === undefined);
  });

  it('repeats nothing of the body in an error', () => {
    for (const text of ['{{ secret', '{{ secret { }}', "{{ a | b: 'secret", '{"a":"{{b}}" secret']) {
      for (const kind of kinds) {
        const body = text.startsWith('{"') ? Buffer.from(text) : bodyWith(kind, text)[0];
        expect(() => find(types[kind], body), text).to.satisfy((action: () => unknown) => {
          try {
            action();
            return true;
          } catch (error) {
            return error instanceof ExpressionError && !`${error.stack}`.includes('secret');
          }
        });
      }
    }
  });

  it('can be filled more than once', () => {
    const found = find('application/json', Buffer.from('["{{a}}"]'));
    expect(fillWith(found, '1').toString()).to.equal('[1]');
    expect(fillWith(found, '"x"').toString()).to.equal('["x"]');
  });
});

describe('finding expressions in pieces', () => {
  const grammar = bodyGrammar('application/json');
  const goOn = async (piece: () => boolean) => {
    while (piece());
  };
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      at,
      text: at % 5000 === 0 ? `x{{ t${at} }}` : 'y'.repeat(20),
    }));

  it('finds and fills what is found at once', async () => {
    const body = Buffer.from(JSON.stringify(rows(20_000)));
    const [whole, pieced] = [
      findExpressions(grammar, body, defaultLimits, true),
      findInPieces(grammar, body, defaultLimits, goOn),
    ];
    expect(pieced).to.be.instanceOf(Promise);
    const { expressions, fill } = await pieced;
    expect(expressions).to.deep.equal(whole.expressions).and.have.length(4);
    const values = expressions.map((text) => JSON.stringify(text));
    expect(fill(values).equals(whole.fill(values))).to.equal(true);
  });

  it('reads little of it in each piece, and all of it in the end', async () => {
    const body = Buffer.from(JSON.stringify(rows(20_000)));
    let pieces = 0;
    await findInPieces(grammar, body, defaultLimits, async (piece) => {
      do pieces += 1;
      while (piece());
    });
    expect(pieces).to.be.within(2, Math.ceil(body.length / (256 * 1024)));
    for (const cut of [1, 2, 30]) {
      const broken = findInPieces(grammar, body.subarray(0, -cut), defaultLimits, goOn);
      const error: unknown = await Promise.resolve(broken).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ExpressionError).with.property('code', 'invalid_body');
    }
  });

  it('finds them at once in a small body, and in one of another kind', () => {
    expect(findInPieces(grammar, Buffer.from('["{{ a }}"]'), defaultLimits, goOn)).to.have.property(
      'expressions',
    );
  });
});
