import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { readResult, responseText } from './read-result.ts';

/** What is answered for a result, with tokens for its tokenize block; JSON text. */
function answered(result: string): string {
  const { raw, tokenize } = readResult(Buffer.from(result));
  return responseText(tokenize === undefined ? undefined : Buffer.from(`<${tokenize}>`), raw).toString();
}

describe('what a reactor returns', () => {
  const rows: [result: string, answer: string][] = [
    ['', '{}'],
    ['{}', '{}'],
    ['{"raw":{"a":1}}', '{"raw":{"a":1}}'],
    ['{"raw":"a,b\\n"}', '{"raw":"a,b\\n"}'],
    ['{"raw":[1.0e21,12345678901234567890]}', '{"raw":[1.0e21,12345678901234567890]}'],
    ['{"raw":null}', '{"raw":null}'],
    ['{"raw":false,"tokenize":null}', '{"raw":false}'],
    ['{"tokenize":"x"}', '{"tokens":<"x">}'],
    ['{"raw":1,"tokenize":{"raw":2}}', '{"tokens":<{"raw":2}>,"raw":1}'],
    ['{"body":1,"headers":{},"tokens":{"a":1}}', '{}'],
    ['{"__proto__":{"raw":1}}', '{}'],
  ];
  for (const [result, answer] of rows) {
    it(`is answered: ${result === '' ? 'undefined' : result}`, () => {
      expect(answered(result)).to.equal(answer);
    });
  }

  for (const [result, what] of Object.entries({
    null: 'null',
    '[]': 'an array',
    '"x"': 'a string',
    '5': 'a number',
    true: 'a boolean',
  })) {
    it(`is an error when it is ${what}`, () => {
      const attempt = () => readResult(Buffer.from(result));
      expect(attempt).to.throw(AppError, 'Reactor Runtime Error');
      try {
        attempt();
      } catch (error) {
        expect((error as AppError).code).to.equal('internal');
        expect((error as AppError).errors['error']?.[0]).to.match(new RegExp(`it returned ${what}\\.$`));
      }
    });
  }
});
