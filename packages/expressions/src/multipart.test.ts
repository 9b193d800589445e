import { expect } from 'chai';

import { bodyGrammar } from './body-grammar.ts';
import { ExpressionError } from './expression-error.ts';
import { findExpressions } from './find-expressions.ts';
import type { Found } from './find-expressions.ts';

const grammar = bodyGrammar('multipart/form-data; boundary=XX');

/** A body of the given parts: headers, and content of one byte a character. */
function multipart(...parts: readonly (readonly [string, string])[]): Buffer {
  const pieces = parts.flatMap(([headers, content]) => [
    Buffer.from(`--XX\r\nContent-Disposition: form-data; name="f"\r\n${headers}\r\n`),
    Buffer.from(content, 'latin1'),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from('--XX--\r\n')]);
}

function problem(body: Buffer, contentType = 'multipart/form-data; boundary=XX'): Partial<ExpressionError> {
  try {
    findExpressions(bodyGrammar(contentType), body);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  return {};
}

/** What the body becomes with these JSON texts for its expressions. */
function fillWith(found: Found, ...values: readonly string[]): Buffer {
  return found.fill(values);
}

describe('multipart bodies', () => {
  const photo = '\xff\xd8{{\0\xc3(}';

  it('fill in each part by its own content type', () => {
    const parts = (plain: string, json: string, form: string): Buffer =>
      multipart(
        ['', plain],
        ['content-type:application/json\r\n', json],
        ['Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n', form],
        ['Content-Type: image/jpeg\r\n', photo],
      );
    const found = findExpressions(grammar, parts('<{{a}}>', '{"x":"{{b}}"}', 'y=%7b{a}}'));
    expect(found.expressions).to.deep.equal(['a', 'b']);
    expect(fillWith(found, '"1 \\""', '{"c":2}')).to.deep.equal(parts('<1 ">', '{"x":{"c":2}}', 'y=1+%22'));
  });

  it('pass with binary parts that look like expressions', () => {
    const body = multipart(['Content-Type: application/octet-stream\r\n', photo]);
    expect(fillWith(findExpressions(grammar, body))).to.equal(body);
  });

  it('are not evaluated in headers, before the first boundary or behind the last', () => {
    const body = Buffer.concat([
      Buffer.from('{{pre}}\r\n'),
      multipart(['X-A: {{header}}\r\n', '{{a}}'], ['', '']),
      Buffer.from('{{post}}'),
    ]);
    const found = findExpressions(grammar, body);
    expect(found.expressions).to.deep.equal(['a']);
    expect(fillWith(found, '1').toString()).to.equal(body.toString().replace('{{a}}', '1'));
  });

  it('read folded headers, padded boundary lines and parts without headers or content', () => {
    const body = Buffer.from(
      '--XX \t\r\nContent-Type:\r\n application/json\r\n\r\n"{{a}}"\r\n--XX\r\n\r\n{{b}}\r\n--XX\r\n\r\n--XX\r\n\r\n\r\n--XX--',
    );
    const found = findExpressions(grammar, body);
    expect(found.expressions).to.deep.equal(['a', 'b']);
    expect(fillWith(found, '[]', '"x"').toString()).to.equal(
      body.toString().replace('"{{a}}"', '[]').replace('{{b}}', 'x'),
    );
  });

  it('are not looked at when they hold no braces', () => {
    const body = Buffer.from('not multipart');
    expect(fillWith(findExpressions(grammar, body))).to.equal(body);
  });

  it('cannot get a part more through a value', () => {
    const found = findExpressions(grammar, multipart(['', 'a{{t}}']));
    const value = JSON.stringify('\r\n--XX\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1');
    expect(() => fillWith(found, value))
      .to.throw(ExpressionError)
      .that.includes({ code: 'invalid_expression' });
    expect(() => fillWith(found, '"--X"')).to.not.throw();
    const split = findExpressions(grammar, multipart(['', '--{{t}}X']));
    expect(() => fillWith(split, '"X"')).to.throw(ExpressionError);
  });

  const malformed: readonly (readonly [string, string])[] = [
    ['no boundary', '{{a}}'],
    ['no end', '--XX\r\n\r\n{{a}}'],
    ['no blank line', '--XX\r\n{{a}}\r\n--XX--'],
    ['text behind a boundary', '--XXX\r\n\r\n{{a}}\r\n--XX--'],
    ['bare line feeds', '--XX\n\n{{a}}\n--XX--'],
    ['endless parts', `${'--XX\r\n\r\n\r\n'.repeat(1001)}--XX\r\n\r\n{{a}}\r\n--XX--`],
    ['endless headers', `--XX\r\nX: ${'x'.repeat(20_000)}\r\n\r\n{{a}}\r\n--XX--`],
  ];
  for (const [name, body] of malformed) {
    it(`are refused with ${name}`, () =>
      expect(problem(Buffer.from(body))).to.include({ code: 'invalid_body' }));
  }

  it('are refused when a part holds what its type does not allow', () => {
    expect(problem(multipart(['Content-Type: application/json\r\n', '{{a}}']))).to.include({
      code: 'invalid_body',
    });
    expect(problem(multipart(['', photo]))).to.include({ code: 'invalid_body' });
    expect(problem(multipart(['Content-Type: text/plain; charset=latin1\r\n', '{{a}}']))).to.include({
      code: 'unsupported_charset',
    });
    expect(problem(multipart(['Content-Type: multipart/mixed; boundary=Y\r\n', '{{a}}']))).to.include({
      code: 'invalid_body',
    });
  });

  it('name the place of an error in the whole body', () => {
    const body = multipart(['', 'x'], ['', 'abc{{'], ['', 'y']);
    expect(problem(body)).to.include({ code: 'invalid_expression', position: body.indexOf('{{') });
  });
});
