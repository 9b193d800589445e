import { AppError } from '@glovebox/platform/errors';
import { expect } from 'chai';

import { readResult } from './read-result.ts';

describe('what a transform returned', () => {
  const table: [json: string, headers: string[], body: unknown][] = [
    ['{}', [], undefined],
    ['{"body":null,"headers":null}', [], null],
    ['{"body":{"a":1},"headers":{"A":"b"},"other":1}', ['A', 'b'], { a: 1 }],
    ['{"body":"text"}', [], 'text'],
  ];
  for (const [json, headers, body] of table) {
    it(`is read from ${json}`, () => {
      expect(readResult(json, 'request', 1000)).to.deep.equal({ headers, body });
    });
  }

  for (const [json, found] of [
    ['', 'undefined'],
    ['null', 'null'],
    ['[1]', 'an array'],
    ['"secret"', 'a string'],
    ['5', 'a number'],
    ['true', 'a boolean'],
  ] as const) {
    it(`is refused when it is ${found}`, () => {
      expect(() => readResult(json, 'response', 1000))
        .to.throw(
          AppError,
          `The response transform must return an object with body and headers; it returned ${found}.`,
        )
        .with.property('code', 'internal');
    });
  }
});
