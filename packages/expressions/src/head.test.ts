import { expect } from 'chai';
import fc from 'fast-check';

import { headOf } from './head.ts';

describe('headOf', () => {
  const cases: readonly (readonly [string, string, boolean, string])[] = [
    ['7b1f', '7b1f', false, ''],
    [' 7b1f ', '7b1f', false, ''],
    ["7b1f | json: '$.number' | last4", '7b1f', false, "json: '$.number' | last4"],
    ['a b@c.d:e\'f"g|upcase', 'a b@c.d:e\'f"g', false, 'upcase'],
    ['token: 7b1f', '7b1f', true, ''],
    ["token:7b1f | json: '$.data'", '7b1f', true, "json: '$.data'"],
    ['Token: 7b1f', 'Token: 7b1f', false, ''],
    ['tokens', 'tokens', false, ''],
    ['', '', false, ''],
    ['| upcase', '', false, 'upcase'],
    ['token:', '', true, ''],
    ['token: | upcase', '', true, 'upcase'],
  ];
  for (const [text, tokenId, wholeToken, filters] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(headOf(text)).to.deep.equal({ tokenId, wholeToken, filters });
    });
  }

  it('finds every id that a token may have', () => {
    const id = fc
      .stringMatching(/^[^#/\\+?[\]|&=%<>{}^]{3,40}$/u)
      .filter((text) => text.trim() === text && !text.startsWith('token:'));
    fc.assert(
      fc.property(id, fc.constantFrom('', ' | last4', "|json:'$.a|b'"), (text, filters) => {
        expect(headOf(` ${text} ${filters}`)).to.include({ tokenId: text, wholeToken: false });
        expect(headOf(`token: ${text}${filters}`)).to.include({ tokenId: text, wholeToken: true });
      }),
    );
  });
});
