import { expect } from 'chai';

import { bodyGrammar } from './body-grammar.ts';
import { containsExpression, ExpressionScanner } from './contains.ts';
import { ExpressionError } from './expression-error.ts';
import { findExpressions } from './find-expressions.ts';

const size = 10 * 1024 * 1024;

/**
 * More than any of these bodies needs on a slow machine, and far less than one of them would need if the
 * time grew with the square of its size: 10^14 steps take hours.
 */
const enoughMs = 10_000;

function repeat(text: string): Buffer {
  return Buffer.alloc(size, text);
}

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/plain; charset=utf-16',
  'multipart/form-data; boundary=X',
];

const bodies: Readonly<Record<string, Buffer>> = {
  'opening braces': repeat('{'),
  'closing braces': repeat('}'),
  'spaced braces': repeat('{ '),
  'escaped braces': repeat(String.raw`\u007b`),
  'escaped braces in a string': Buffer.concat([Buffer.from('"'), repeat(String.raw`\u007b`)]),
  'spaced escaped braces in strings': Buffer.concat([
    Buffer.from(String.raw`["\u007b`),
    repeat(String.raw`","\u007b x`),
  ]),
  'encoded braces': repeat('%7B'),
  'empty expressions': repeat('{{}}'),
  'unclosed expressions': repeat('{{a '),
  expressions: repeat('{{a}}'),
  'distinct expressions in strings': Buffer.from(
    `[${Array.from({ length: 900_000 }, (_, i) => `"{{${i}}}"`).join()}]`,
  ),
  'quotes in an expression': Buffer.concat([Buffer.from('{{a|'), repeat(`'"`)]),
  'an endless quote': Buffer.concat([Buffer.from(`{{a|'`), repeat('x')]),
  'an endless head': Buffer.concat([Buffer.from('{{'), repeat(' ')]),
  'a long head of white space': Buffer.concat([Buffer.from('{{'), repeat(' '), Buffer.from('}}')]),
  pipes: Buffer.concat([Buffer.from('{{a'), repeat('|')]),
  'form pairs': repeat('{{&'),
  'form names': repeat('{{=&'),
  'a form name': Buffer.concat([repeat('{{'), Buffer.from('={{a}}')]),
  'form values': repeat('=%7b%7b&'),
  arrays: Buffer.concat([Buffer.from('"{{a}}"'), repeat('[')]),
  'nested arrays': Buffer.concat([repeat('['), Buffer.from('"{{a}}"')]),
  'nested objects': repeat('{"a":'),
  'names with braces': Buffer.concat([Buffer.from('{"{{":0'), repeat(',"{{":0')]),
  boundaries: Buffer.concat([repeat('--X\r\n\r\n\r\n'), Buffer.from('{{a}}')]),
  'boundaries without parts': Buffer.concat([repeat('\r\n--X'), Buffer.from('{{a}}')]),
  'blank lines': Buffer.concat([Buffer.from('--X\r\nA: {{a}}'), repeat('\r\n')]),
  'invalid UTF-8': Buffer.concat([Buffer.from('{{a}}'), Buffer.alloc(size, 0xff)]),
};

describe('a hostile body of 10 MB', () => {
  for (const [name, body] of Object.entries(bodies)) {
    it(`of ${name} is answered with an error or a bounded list, and soon`, () => {
      const started = performance.now();
      for (const type of types) {
        const grammar = bodyGrammar(type);
        try {
          expect(findExpressions(grammar, body).expressions.length).to.be.at.most(1000);
        } catch (error) {
          expect(error).to.be.instanceOf(ExpressionError);
        }
      }
      expect(performance.now() - started).to.be.lessThan(enoughMs);
    });
  }

  it('is looked through in chunks of any size, soon', () => {
    const started = performance.now();
    for (const type of types) {
      const grammar = bodyGrammar(type);
      for (const text of ['{ ', String.raw`\u007b `, '%7B ', '\0{']) {
        const body = repeat(text);
        const scanner = new ExpressionScanner(grammar);
        let found = false;
        for (let at = 0; at < size; at += 65_536) found = scanner.push(body.subarray(at, at + 65_536));
        expect(found).to.equal(containsExpression(grammar, body));
      }
    }
    expect(performance.now() - started).to.be.lessThan(enoughMs);
  });
});
