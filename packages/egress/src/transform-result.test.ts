import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { readResult } from './transform-result.ts';

describe('what a transform returned', () => {
  const table: [json: string, headers: string[], body: unknown][] = [
    ['{"body":null,"headers":null}', [], null],
    ['{"body":{"a":1},"headers":{"A":"b"},"other":1}', ['A', 'b'], { a: 1 }],
    ['{"body":"text"}', [], 'text'],
  ];
  for (const [json, headers, body] of table) {
    it(`is read from ${json}`, () => {
      expect(readResult(json, 'request', false, 1000)).to.deep.equal({ headers, body });
    });
  }

  it('may name a body that there was none of, but nothing else in its place', () => {
    expect(readResult('{}', 'request', false, 1000)).to.deep.equal({ headers: [], body: undefined });
    expect(() => readResult('{"a":1}', 'request', false, 1000)).to.throw(AppError, 'neither of them');
  });

  for (const [json, found] of [
    ['', 'undefined'],
    ['{"body":', 'no JSON'],
    ['null', 'null'],
    ['[1]', 'an array'],
    ['"secret"', 'a string'],
    ['5', 'a number'],
    ['true', 'a boolean'],
    ['{}', 'an object with neither of them, and with 0 other properties'],
    ['{"secret":1}', 'an object with neither of them, and with 1 other property'],
    ['{"statusCode":1,"Body":{}}', 'an object with neither of them, and with 2 other properties'],
  ] as const) {
    it(`is refused when it is ${found}`, () => {
      expect(() => readResult(json, 'response', true, 1000))
        .to.throw(
          AppError,
          `The response transform must return an object with body and headers; it returned ${found}.`,
        )
        .with.property('code', 'internal');
    });
  }
});
