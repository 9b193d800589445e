import { expect } from 'chai';

import { validationError } from './app-error.ts';
import { problemObject, toErrorObject } from './http.ts';

const occurrence = { correlationId: 'a "trace"', docsUrl: 'https://glovebox.example/docs' };

describe('an error object', () => {
  it('begins with the members of old, byte for byte, and then says which request it is one of and where it is explained', () => {
    expect(JSON.stringify(toErrorObject(validationError({ name: ['is required'] }), occurrence))).to.equal(
      '{"errors":{"name":["is required"]},"title":"One or more validation errors occurred.","status":400,' +
        '"detail":"name: is required","code":"invalid_argument","trace_id":"a \\"trace\\"",' +
        '"doc_url":"https://glovebox.example/docs/errors#invalid_argument"}',
    );
  });

  for (const [status, code] of [
    [400, 'invalid_argument'],
    [402, 'invalid_argument'],
    [403, 'permission_denied'],
    [429, 'rate_limited'],
    [499, 'cancelled'],
    [500, 'internal'],
    [503, 'unavailable'],
    [504, 'internal'],
    [599, 'internal'],
  ] as const) {
    it(`of the status ${status}, which code chose, has the code ${code}`, () => {
      const problem = { errors: {}, title: 'Mine', status, detail: 'x' };
      expect(problemObject(problem, occurrence)).to.deep.include({ ...problem, code });
    });
  }
});
