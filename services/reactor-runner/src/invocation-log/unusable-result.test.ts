import { expect } from 'chai';

import type { CodeOwner } from '../scheduling/tenant.ts';
import { resultProblem } from './unusable-result.ts';

describe('what code returned', () => {
  const owners: Record<string, CodeOwner> = {
    reactor: { id: 'r' },
    request: { id: 'p', side: 'request' },
    response: { id: 'p', side: 'response' },
  };
  const of = (owner: string, value: unknown) =>
    resultProblem(owners[owner] as CodeOwner, Buffer.from(JSON.stringify(value) ?? ''));

  it('is of use to a reactor when it is an object or nothing', () => {
    for (const value of [undefined, {}, { raw: 1 }, { tokenize: 'x', more: 1 }]) {
      expect(of('reactor', value), JSON.stringify(value)).to.equal(undefined);
    }
    const said = (what: string) =>
      `The code must return an object with raw or tokenize; it returned ${what}.`;
    expect(of('reactor', null)).to.equal(said('null'));
    expect(of('reactor', ['raw'])).to.equal(said('an array'));
    expect(of('reactor', 'raw')).to.equal(said('a string'));
    expect(of('reactor', -5)).to.equal(said('a number'));
    expect(of('reactor', false)).to.equal(said('a boolean'));
  });

  it('is of use to a proxy when it has a body or headers', () => {
    const usable = [
      { body: null },
      { headers: {} },
      { body: 1, headers: {} },
      { other: { a: '"' }, headers: {} },
    ];
    const unusable = [undefined, null, {}, { raw: 1 }, { Body: 1 }, { a: { body: 1 } }, ['body'], 'body', 7];
    for (const side of ['request', 'response']) {
      for (const value of usable) expect(of(side, value), JSON.stringify(value)).to.equal(undefined);
      const said = new RegExp(
        `^The ${side} transform must return an object with body and headers; it returned `,
      );
      for (const value of unusable) expect(of(side, value), JSON.stringify(value)).to.match(said);
    }
    for (const text of ['{', '{"a":', '{"a', '{"a":{'])
      expect(resultProblem(owners['request'] as CodeOwner, Buffer.from(text)), text).to.match(
        /it returned no JSON\.$/,
      );
    expect(of('request', {})).to.match(/it returned an object with neither of them\.$/);
    expect(of('request', undefined)).to.match(/it returned undefined\.$/);
  });
});
