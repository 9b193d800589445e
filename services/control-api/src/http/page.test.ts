import { expect } from 'chai';

import { envelope, likePattern, offsetOf } from './page.ts';

describe('a page', () => {
  it('begins where the one before ended, also far out', () => {
    expect(offsetOf({ number: 1, size: 20 })).to.equal(0);
    expect(offsetOf({ number: 3, size: 20 })).to.equal(40);
    expect(offsetOf({ number: 2_147_483_647, size: 100 })).to.equal(214_748_364_600);
  });

  it('counts pages rounded up', () => {
    expect(envelope({ number: 1, size: 20 }, 41, [])).to.deep.equal({
      pagination: { total_items: 41, page_number: 1, page_size: 20, total_pages: 3 },
      data: [],
    });
  });
});

describe('likePattern', () => {
  const cases: readonly [search: string, pattern: string][] = [
    ['abc', '%abc%'],
    ['abc*', 'abc%'],
    ['*a**b*', '%a%b%'],
    ['100%', '%100\\%%'],
    ['a_b*', 'a\\_b%'],
    ['a\\b', '%a\\\\b%'],
  ];
  for (const [search, pattern] of cases) {
    it(`${search} becomes ${pattern}`, () => {
      expect(likePattern(search)).to.equal(pattern);
    });
  }
});
