import { expect } from 'chai';

import { reservedHead, tokenIdProblem } from './token-id-grammar.ts';

describe('the id of a token', () => {
  const good = [
    'abc',
    '3f0c2a6f-9c1e-4d0a-8b77-77b0d0000000',
    'ann.lee@example.org',
    'an id with spaces',
    `it's "quoted"`,
    'a:b;c,d!e$f*g(h)',
    'proxy-1',
    // Callers that keep tokens out of expressions have to know these.
    'proxy .x',
    'res .x',
    'proxies',
    'resource',
    'tokens:1',
    'configuration',
    'été',
    '日本語',
    '😀😀😀',
    'x'.repeat(400),
  ];
  for (const id of good) {
    it(`may be ${JSON.stringify(id).slice(0, 50)}`, () => {
      expect(tokenIdProblem(id, 400)).to.equal(undefined);
    });
  }

  for (const character of '#/\\+?[]|&=%<>{}^') {
    it(`may not hold ${character}`, () => {
      expect(tokenIdProblem(`ab${character}cd`, 400)).to.match(/must not contain any of/);
    });
  }

  const bad: readonly (readonly [id: string, problem: RegExp])[] = [
    ['', /3 to 400 characters/],
    ['ab', /3 to 400 characters/],
    ['😀😀', /3 to 400 characters/],
    ['x'.repeat(401), /3 to 400 characters/],
    [' abc', /white space/],
    ['abc ', /white space/],
    ['\u00a0abc', /white space/],
    ['a\nb', /control characters/],
    ['a\u0000b', /control characters/],
    ['ab\ud800', /broken text/],
    ['proxy', /reserved word "proxy"/],
    ['proxy.request', /reserved word "proxy"/],
    ['encrypted', /reserved word "encrypted"/],
    ['res', /reserved word "res"/],
    ['token:abc', /reserved word "token:"/],
    ['token: abc', /reserved word "token:"/],
    ['token_intent:abc', /reserved word "token_intent:"/],
    ['config:abc', /reserved word "config:"/],
    ['transform_identifier:x', /reserved word "transform_identifier:"/],
  ];
  for (const [id, problem] of bad) {
    it(`may not be ${JSON.stringify(id).slice(0, 50)}`, () => {
      expect(tokenIdProblem(id, 400)).to.match(problem);
    });
  }

  it('is reserved where an expression would mean something else', () => {
    expect(['proxy[0]', 'proxy.x', 'encrypted.y', 'res'].map(reservedHead)).to.deep.equal([
      'proxy',
      'proxy',
      'encrypted',
      'res',
    ]);
  });
});
