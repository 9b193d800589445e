import { expect } from 'chai';

import { ExpressionEvaluationError } from '../../expressions/expression-error.ts';
import { WorkBudget, requestAllowance } from '../../expressions/expression-limits.ts';
import { parseExpression } from '../../expressions/parse.ts';
import type { JsonObject } from '../../values/json-value.ts';
import { evaluateAll } from './evaluate-all.ts';

const mebibyte = 1024 * 1024;
const maxLength = 7 * mebibyte;

/** Each character of it is six in JSON. */
const document = '\u0001'.repeat(mebibyte);
const manyNames = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`n${at}`, at]));
const many = 1000;

/** What a thousand distinct expressions do: characters of JSON made and read, work that was paid for, and the outcome. */
async function measure(expression: (at: number) => string, variables: JsonObject) {
  const parsed = Array.from({ length: many }, (_, at) =>
    parseExpression(expression(at), Object.keys(variables)),
  );
  const work = new WorkBudget();
  const pieces: number[] = [];
  const scope = { variables, configuration: {} };
  const token = () => expect.fail('no token is named');
  /** Does one piece after the other, and notes what each has spent. */
  const goOn = async (piece: () => boolean): Promise<void> => {
    for (let more = true; more;) {
      const { left } = work;
      more = piece();
      pieces.push(left - work.left);
    }
  };
  const { parse, stringify } = JSON;
  let json = 0;
  JSON.stringify = (...args: unknown[]) => {
    const text = stringify(...(args as Parameters<typeof stringify>));
    json += text.length;
    // Enough to know it, and it would take very long.
    if (json > 100 * mebibyte) throw new Error('Far too much JSON is made.');
    return text;
  };
  JSON.parse = (text: string) => {
    json += text.length;
    return parse(text) as unknown;
  };
  let outcome: string[] | Error;
  try {
    outcome = await evaluateAll(parsed, { scope, token }, maxLength, work, goOn);
  } catch (error) {
    outcome = error as Error;
  } finally {
    Object.assign(JSON, { parse, stringify });
  }
  return { json, spent: requestAllowance - work.left, outcome, pieces };
}

describe('a thousand expressions of one request', () => {
  const proxy = { request: { headers: manyNames, body: document } };
  const name = (at: number) => `a${at.toString(36)}`;

  it('look into one large document without a copy of it', async () => {
    const { json, spent, outcome } = await measure((at) => `proxy | json: '$.${name(at)}'`, { proxy });
    expect(outcome).to.deep.equal(Array.from({ length: many }, () => 'null'));
    expect(json).to.be.lessThan(many * 10);
    expect(spent).to.be.lessThan(many * 20);
  });

  it('cost little when they are cheap, however many', async () => {
    const filters = Array(15).fill("append: ''").join(' | ');
    const { json, spent, outcome } = await measure((at) => `proxy.${name(at)} | default: 'x' | ${filters}`, {
      proxy,
    });
    expect(outcome).to.have.length(many);
    expect(json).to.be.lessThan(many * 10);
    expect(spent).to.be.lessThan(many * 200);
  });

  const attacks: readonly (readonly [what: string, expression: (at: number) => string])[] = [
    ['giving all of it', (at) => `proxy${' '.repeat(at)}| default: 1`],
    ['giving all of it as it is', (at) => `proxy${'.request'.repeat(1 + (at % 2))}`],
    ['giving a text of it', (at) => `proxy.request.body | default: ${at}`],
    ['finding a text in it', (at) => `proxy | json: '$.request.body' | default: ${at}`],
    [
      'finding a text in it, and making little of it',
      (at) => `proxy | json: '$.request.body' | upcase | slice: ${at}`,
    ],
    ['making text of it, and little of that', (at) => `proxy | stringify | slice: ${at}`],
    ['counting its scope', (at) => `proxy.request.headers.size | plus: ${at}`],
    [
      'counting its scope in an argument',
      (at) => `proxy.request.no | append: proxy.request.headers.size | append: ${at}`,
    ],
    ['walking it', (at) => `proxy | json: '$.request.headers[?@ == ${at}]'`],
  ];
  for (const [what, expression] of attacks) {
    it(`are refused after a bounded amount of work by ${what}`, async () => {
      const { json, outcome } = await measure(expression, { proxy });
      expect(outcome).to.be.instanceOf(Error);
      expect((outcome as Error).message).to.match(/takes too much work|too large for one request/);
      expect(json).to.be.lessThan(100 * mebibyte);
    });
  }

  it('are evaluated in pieces, with others between them, when they take long', async () => {
    const { outcome, pieces, spent } = await measure((at) => `proxy.request.body | append: ${at} | size`, {
      proxy: { request: { body: 'a'.repeat(2000) } },
    });
    expect(outcome).to.have.length(many);
    expect(pieces.length).to.be.greaterThan(2);
    expect(Math.max(...pieces)).to.be.lessThan(spent / 3);
  });

  it('are refused with a 400 when they come to more than the allowance', async () => {
    const { outcome, spent } = await measure((at) => `proxy.request.headers.size | plus: ${at}`, { proxy });
    expect(outcome).to.be.instanceOf(ExpressionEvaluationError);
    expect(spent).to.be.equal(requestAllowance);
  });
});
