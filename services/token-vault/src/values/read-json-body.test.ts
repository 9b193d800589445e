import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';
import * as fc from 'fast-check';

import { readJsonBody } from './read-json-body.ts';

const read = (text: string) => readJsonBody(Buffer.from(text), { bodyBytes: 1000, bodyNesting: 100 });
const failureOf = (work: () => unknown): AppError => {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it should have failed');
};

describe('a JSON body', () => {
  it('is read as what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(readJsonBody(Buffer.from(text), { bodyBytes: 1_000_000, bodyNesting: 500 })).to.deep.equal(
          JSON.parse(text),
        );
      }),
    );
  });

  it('may begin with a byte order mark, as browsers and .NET write it', () => {
    expect(read('\ufeff{"a":1}')).to.deep.equal({ a: 1 });
  });

  it('may hold brackets in strings', () => {
    const text = `"${'[{'.repeat(200)}\\"[\\\\"`;
    expect(read(text)).to.equal(JSON.parse(text));
  });

  it('may be nested 100 levels deep and no deeper', () => {
    expect(read('['.repeat(100) + ']'.repeat(100))).to.be.an('array');
    expect(failureOf(() => read('['.repeat(101) + ']'.repeat(101))).message).to.include('100 levels');
  });

  it('is refused without a word of what it holds', () => {
    for (const text of ['{"secret', 'secret', '"secret\u0001"', '{"a":secret}']) {
      const failure = failureOf(() => read(text));
      expect(failure).to.include({ code: 'invalid_argument', message: 'The body is not valid JSON.' });
      expect(failure.cause).to.equal(undefined);
    }
  });

  it('gives nothing but an AppError, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        try {
          readJsonBody(Buffer.from(bytes), { bodyBytes: 40, bodyNesting: 10 });
        } catch (error) {
          expect(error).to.be.instanceOf(AppError);
        }
      }),
    );
  });
});
