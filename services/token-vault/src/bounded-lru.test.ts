import { expect } from 'chai';

import { BoundedLru } from './bounded-lru.ts';

describe('BoundedLru', () => {
  it('never holds more than its bound', () => {
    const lru = new BoundedLru<number, string>(3);
    for (let i = 0; i < 1000; i += 1) lru.set(i, 'x');
    expect(lru.size).to.equal(3);
  });

  it('lets go of what has gone unused the longest', () => {
    const lru = new BoundedLru<string, number>(2);
    lru.set('a', 1);
    lru.set('b', 2);
    lru.get('a');
    lru.set('c', 3);
    expect([lru.get('a'), lru.get('b'), lru.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('does not count a peek as use', () => {
    const lru = new BoundedLru<string, number>(2);
    lru.set('a', 1);
    lru.set('b', 2);
    expect(lru.peek('a')).to.equal(1);
    lru.set('c', 3);
    expect(lru.peek('a')).to.equal(undefined);
  });

  it('replaces and deletes', () => {
    const lru = new BoundedLru<string, number>(2);
    lru.set('a', 1);
    lru.set('a', 2);
    expect([lru.get('a'), lru.size]).to.deep.equal([2, 1]);
    lru.delete('a');
    expect([lru.get('a'), lru.size]).to.deep.equal([undefined, 0]);
  });
});
