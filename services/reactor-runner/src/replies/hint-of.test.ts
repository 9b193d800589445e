import { expect } from 'chai';

import { failureError } from './failure-error.ts';
import { hintOf } from './hint-of.ts';

const threw = (name: string, message: string) =>
  ({ kind: 'threw', thrown: JSON.stringify({ name, message, stack: '' }) }) as const;

describe('a hint of how to go on', () => {
  const fetching =
    "There is no fetch here: use require('node-fetch'), require('axios') or the module https instead.";

  it('is what there is instead of fetch', () => {
    for (const message of ['fetch is not defined', 'globalThis.fetch is not a function'])
      expect(hintOf(threw('ReferenceError', message), { code: 'fetch()' })).to.equal(fetching);
  });

  it('is where an application is set, for code that uses bt without one', () => {
    const reading = threw('TypeError', "Cannot read properties of null (reading 'tokens')");
    const code = 'module.exports = async (req) => req.bt.tokens.retrieve(req.args.id)';
    expect(hintOf(reading, { code })).to.match(/^There is no bt here because no application is set: /);
    const taken = threw('TypeError', "Cannot destructure property 'tokens' of 'req.bt' as it is undefined.");
    expect(hintOf(taken, { code })).to.match(/^There is no bt here/);
    const owner = { $case: 'proxyKeyHash', value: 'key' } as const;
    const delegation = { owner, version: 1, applicationId: 'a' };
    expect(hintOf(reading, { code, delegation })).to.equal(undefined);
    expect(hintOf(reading, { code: 'module.exports = (req) => req.args.body.tokens' })).to.equal(undefined);
  });

  it('is not given of errors of the code’s own', () => {
    for (const failure of [
      threw('Error', 'fetch is not defined'),
      threw('TypeError', 'x is null'),
      { kind: 'crashed' } as const,
    ])
      expect(hintOf(failure, { code: 'bt.x' })).to.equal(undefined);
  });

  it('follows what was thrown and its place, and no word of it is for an anonymous caller', () => {
    const failure = threw('ReferenceError', 'fetch is not defined');
    expect(failureError(failure, undefined, fetching).errors).to.deep.equal({
      error: [`ReferenceError: fetch is not defined. ${fetching}`],
    });
  });
});
