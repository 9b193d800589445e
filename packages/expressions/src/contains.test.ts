import { expect } from 'chai';
import fc from 'fast-check';

import { bodyGrammar } from './body-grammar.ts';
import type { BodyGrammar } from './body-grammar.ts';
import { containsExpression, ExpressionScanner } from './contains.ts';
import { findExpressions } from './find-expressions.ts';

const grammars = {
  json: bodyGrammar('application/json'),
  form: bodyGrammar('application/x-www-form-urlencoded'),
  text: bodyGrammar('text/plain'),
  wide: bodyGrammar('text/plain; charset=utf-16'),
  multipart: bodyGrammar('multipart/form-data; boundary=X'),
  none: bodyGrammar('image/png'),
} satisfies Readonly<Record<string, BodyGrammar>>;

type Name = keyof typeof grammars;

const cases: readonly (readonly [string, readonly Name[]])[] = [
  ['', []],
  ['{', []],
  ['{ {', []],
  ['{"a":{"b":1}}', []],
  ['x{{', ['json', 'form', 'text', 'wide', 'multipart']],
  [String.raw`"\u007b\u007B"`, ['json']],
  [String.raw`"{\u007b"`, ['json']],
  [String.raw`"\u007B{"`, ['json']],
  [String.raw`"\u007b \u007b"`, []],
  [String.raw`"\u007c\u007b"`, []],
  ['a=%7B%7b', ['form']],
  ['a={%7b', ['form']],
  ['a=%7B{', ['form']],
  ['a=%7B%22%7B', []],
  ['{\0{\0', ['wide']],
  ['\0{\0{', ['wide']],
  ['{\0\0\0{\0\0\0', ['wide']],
  ['\0\0\0{\0\0\0{', ['wide']],
];

describe('containsExpression', () => {
  for (const [body, holders] of cases) {
    it(`finds ${JSON.stringify(body)} in ${holders.join(', ') || 'no grammar'}`, () => {
      for (const [name, grammar] of Object.entries(grammars)) {
        expect(containsExpression(grammar, Buffer.from(body)), name).to.equal(holders.includes(name as Name));
      }
    });
  }

  it('never misses what findExpressions finds', () => {
    const unit = fc.constantFrom(
      '{',
      '}',
      'a',
      '"',
      '\\',
      String.raw`\u007b`,
      String.raw`\u007B`,
      '%7b',
      '%7B',
      '&',
      '=',
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 20 }),
        fc.constantFrom<Name>('json', 'form', 'text'),
        (text, name) => {
          const body = Buffer.from(name === 'json' ? `["${text}"]` : text);
          let finds: boolean;
          try {
            finds = findExpressions(grammars[name], body).expressions.length > 0;
          } catch {
            finds = true;
          }
          if (finds) expect(containsExpression(grammars[name], body)).to.equal(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('ExpressionScanner', () => {
  for (const [body, holders] of cases) {
    it(`finds ${JSON.stringify(body)} however it is cut`, () => {
      const bytes = Buffer.concat([Buffer.alloc(20, 'x'), Buffer.from(body), Buffer.alloc(20, 'y')]);
      for (const [name, grammar] of Object.entries(grammars)) {
        for (let size = 1; size <= bytes.length; size += 1) {
          const scanner = new ExpressionScanner(grammar);
          let found = false;
          for (let at = 0; at < bytes.length; at += size) found = scanner.push(bytes.subarray(at, at + size));
          expect(found, `${name} in chunks of ${size}`).to.equal(holders.includes(name as Name));
        }
      }
    });
  }

  it('agrees with containsExpression for any chunks, and never changes its mind', () => {
    const chunk = fc.string({
      unit: fc.constantFrom('{', 'a', '\\', 'u', '0', '7', 'b', '%', '\0'),
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.array(chunk), fc.constantFrom(...Object.values(grammars)), (chunks, grammar) => {
        const scanner = new ExpressionScanner(grammar);
        let sofar = '';
        for (const text of chunks) {
          sofar += text;
          expect(scanner.push(Buffer.from(text))).to.equal(containsExpression(grammar, Buffer.from(sofar)));
        }
      }),
      { numRuns: 3000 },
    );
  });
});
