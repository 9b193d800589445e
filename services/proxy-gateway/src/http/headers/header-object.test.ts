import { expect } from 'chai';

import { headerObject } from './header-object.ts';

describe('headers as code sees them', () => {
  const table: [what: string, raw: string[], object: object][] = [
    ['none', [], {}],
    [
      'names as they are spelled',
      ['X-mixed-CASE', 'a', 'under_score', 'b'],
      { 'X-mixed-CASE': 'a', under_score: 'b' },
    ],
    [
      'repeated ones joined under the first spelling',
      ['X-A', '1', 'B', '2', 'x-a', '3'],
      { 'X-A': '1, 3', B: '2' },
    ],
    ['cookies joined by their own rule', ['Cookie', 'a=1', 'cookie', 'b=2'], { Cookie: 'a=1; b=2' }],
    ['one Set-Cookie as text', ['Set-Cookie', 'a=1, b'], { 'Set-Cookie': 'a=1, b' }],
    [
      'several as a list',
      ['Set-Cookie', '1', 'set-cookie', '2', 'SET-COOKIE', '3'],
      { 'Set-Cookie': ['1', '2', '3'] },
    ],
    [
      'names of every object’s own',
      ['constructor', 'a', 'toString', 'b'],
      { constructor: 'a', toString: 'b' },
    ],
  ];
  for (const [what, raw, object] of table) {
    it(`are ${what}`, () => {
      expect({ ...headerObject(raw) }).to.deep.equal(object);
    });
  }

  it('keep a header named __proto__', () => {
    expect(JSON.stringify(headerObject(['__proto__', 'a', '__PROTO__', 'b']))).to.equal(
      '{"__proto__":"a, b"}',
    );
  });
});
