import { expect } from 'chai';
import fc from 'fast-check';

import { Subject, evaluateExpression } from './evaluate.ts';
import { ExpressionEvaluationError } from './expression-error.ts';
import { WorkBudget } from './expression-limits.ts';
import { filters } from './filters/registry.ts';
import { parseExpression } from './parse.ts';

const card = '{"number":"4242424242424242","expiration_month":12,"expiration_year":2030,"cvc":"123"}';

/** The substitution table (contract/expressions.md#substitution): the result is JSON text, its type included. */
const rows: readonly (readonly [what: string, data: string, expression: string, json: string])[] = [
  ['an object, whole', card, 'id-1', card],
  ['an array, whole', '[1,"a",null]', 'id-1', '[1,"a",null]'],
  ['a text', '"a \\"quoted\\" text"', 'id-1', '"a \\"quoted\\" text"'],
  ['a number', '12', 'id-1', '12'],
  ['a number as it was written', '1.0', 'id-1', '1.0'],
  ['a boolean', 'true', 'id-1', 'true'],
  ['null', 'null', 'id-1', 'null'],
  ['a text found by a path', card, "id-1 | json: '$.number'", '"4242424242424242"'],
  ['a number found by a path', card, "id-1 | json: '$.expiration_month'", '"12"'],
  ['the same, cast', card, "id-1 | json: '$.expiration_month' | to_number", '12'],
  ['a fraction found by a path', '{"price":19.95}', "id-1 | json: '$.price'", '"19.95"'],
  ['a boolean found by a path', '{"on":false}', "id-1 | json: '$.on'", '"false"'],
  ['the same, cast', '{"on":false}', "id-1 | json: '$.on' | to_boolean", 'false'],
  ['a text cast to a number', '"11"', 'id-1 | to_number', '11'],
  ['an object found by a path', '{"a":{"b":[1]}}', "id-1 | json: '$.a'", '{"b":[1]}'],
  ['nothing found by a path', card, "id-1 | json: '$.zip'", 'null'],
  ['a path after a cast', '{"a":{"b":1}}', "id-1 | json: '$.a' | json: '$.b'", '"1"'],
  ['a number by another filter', '12', 'id-1 | plus: 1', '13'],
  ['a filtered text', '"secret"', "id-1 | reveal_last: 4, '#'", '"##cret"'],
  ['text that needs escapes', '"a\\n\\"b\\""', "id-1 | append: '\\\\'", '"a\\n\\"b\\"\\\\"'],
];

describe('evaluateExpression', () => {
  for (const [what, data, expression, json] of rows) {
    it(`gives ${what}: ${expression}`, () => {
      expect(evaluateExpression(parseExpression(expression), new Subject(data))).to.equal(json);
    });
  }

  it('shows the whole token to token: expressions', () => {
    const token = `{"id":"id-1","type":"card","data":${card},"metadata":{"name":"Ann"}}`;
    const evaluate = (text: string): string => evaluateExpression(parseExpression(text), new Subject(token));
    expect(evaluate('token: id-1')).to.equal(token);
    expect(evaluate("token: id-1 | json: '$.data.number'")).to.equal('"4242424242424242"');
    expect(evaluate("token: id-1 | json: '$.metadata.name'")).to.equal('"Ann"');
    expect(evaluate("token: id-1 | json: '$.data.expiration_month' | to_number")).to.equal('12');
  });

  it('parses a value at most once, and not at all when it is used whole', () => {
    const broken = new Subject('not json');
    expect(evaluateExpression(parseExpression('id-1'), broken)).to.equal('not json');
    const subject = new Subject(card);
    evaluateExpression(parseExpression("id-1 | json: '$.number'"), subject);
    const value = subject.value(new WorkBudget(0));
    expect(value).to.deep.equal(JSON.parse(card));
    expect(subject.value(new WorkBudget(0))).to.equal(value);
  });

  it('takes a value as it is, and makes its text at most once', () => {
    const value = { a: ['x', 1] };
    const subject = Subject.of(value);
    expect(subject.value(new WorkBudget(0))).to.equal(value);
    expect(subject.json(new WorkBudget())).to.equal('{"a":["x",1]}');
    expect(subject.json(new WorkBudget(0))).to.equal('{"a":["x",1]}');
  });

  it('pays for what it parses, makes text of, or finds, before it does', () => {
    const text = 'x'.repeat(1000);
    const refused = (action: () => unknown) => expect(action).to.throw('The expression takes too much work.');
    refused(() => new Subject(JSON.stringify([text])).value(new WorkBudget(200)));
    refused(() => Subject.of([text]).json(new WorkBudget(900)));
    const found = parseExpression("id-1 | json: '$.a'");
    refused(() => evaluateExpression(found, Subject.of({ a: text }), new WorkBudget(900)));
    const key = parseExpression('id-1 | append: proxy.size', ['proxy']);
    const proxy = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 1]));
    refused(() => evaluateExpression(key, Subject.of('a'), new WorkBudget(900), { proxy }));
  });

  it('gives JSON text for every chain of filters, or a 400 that tells nothing of the value', () => {
    const canary = 'CANARY-4242';
    const names = fc.constantFrom(...filters.keys());
    const literal = fc.constantFrom(
      "'$.a'",
      "'a'",
      "''",
      '0',
      '2',
      '-1',
      '3.7',
      'true',
      'nil',
      "'X'",
      "'sha-256'",
      "'$..*'",
    );
    const step = fc.tuple(names, fc.array(literal, { maxLength: 3 }));
    const value = fc.constantFrom(
      JSON.stringify(canary),
      JSON.stringify({ a: canary, [canary]: 1, b: [canary, { a: 2 }] }),
      JSON.stringify([canary, { a: canary }, [canary], null, 5]),
      '4242',
      'null',
      'true',
    );
    const property = fc.property(fc.array(step, { maxLength: 5 }), value, (steps, json) => {
      const chain = steps.map(([name, args]) => ` | ${name}${args.length > 0 ? `: ${args.join(', ')}` : ''}`);
      try {
        const result = evaluateExpression(parseExpression(`id-1${chain.join('')}`), new Subject(json));
        JSON.parse(result);
      } catch (error) {
        if (!(error instanceof ExpressionEvaluationError)) throw error;
        expect(error.message).not.to.match(/CANARY|4242/);
        expect(error.cause).to.equal(undefined);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });

  it('survives any text as an expression', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '|',
          ':',
          ',',
          "'",
          '"',
          '(',
          ')',
          '..',
          '[',
          ']',
          '\\',
          ' ',
          'last4',
          'json',
          '$',
          '{{',
          '}}',
          '{%',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 20 },
    );
    const property = fc.property(pieces, (parts) => {
      try {
        evaluateExpression(parseExpression(`id-1 | ${parts.join('')}`), new Subject(card));
      } catch (error) {
        expect(error).to.be.instanceOf(ExpressionEvaluationError);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });
});
