import type { TransformedMessage } from '@glovebox/protos/runner/v1/runner';
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

  it('is of no use to a proxy whose message cannot hold it', () => {
    const received: TransformedMessage = {
      hasBody: true,
      contentType: 'application/json',
      maxHeaderBytes: 100,
      status: 0,
    };
    const check = (value: unknown, message: Partial<TransformedMessage> = {}, side = 'response') =>
      resultProblem(owners[side] as CodeOwner, Buffer.from(JSON.stringify(value) ?? ''), {
        ...received,
        ...message,
      });
    const form = { contentType: 'application/x-www-form-urlencoded' };
    const empty = { hasBody: false, contentType: undefined };
    expect(check({ body: { a: [{}] }, headers: { A: ['b', 1] } })).to.equal(undefined);
    expect(check({ body: { a: ['b', 1] } }, form)).to.equal(undefined);
    expect(check({ body: '<a/>', headers: { 'Content-Type': 'text/xml' } })).to.equal(undefined);
    expect(check({}, empty)).to.equal(undefined);
    expect(check({ body: null }, { ...empty, status: 204 })).to.equal(undefined);
    const unusable: [value: unknown, message: Partial<TransformedMessage>, said: RegExp][] = [
      [{}, {}, /it returned an object with neither of them/],
      [{ headers: [] }, {}, /returned headers that are not an object\.$/],
      [{ headers: { 'a b': '1' } }, {}, /returned a header whose name is not valid: its number 1\.$/],
      [{ headers: { A: 'b\n' } }, {}, /returned a header A with characters that HTTP cannot carry\.$/],
      [{ headers: { A: 'b'.repeat(99) } }, {}, /returned headers of more than 100 bytes\.$/],
      [{ body: { a: [{}] } }, form, /returned a body that no form can hold/],
      [{ body: [], headers: { 'Content-Type': 'text/plain' } }, {}, /neither JSON nor a form\.$/],
      [{ body: 'b' }, { ...empty, status: 204 }, /returned a body, and a 204 has none\.$/],
    ];
    for (const [value, message, said] of unusable) {
      expect(check(value, message), JSON.stringify(value))
        .to.match(/^The response transform /)
        .and.match(said);
    }
  });
});
