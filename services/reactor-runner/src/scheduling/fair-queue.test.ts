import { expect } from 'chai';

import { FairQueue } from './fair-queue.ts';

describe('a fair queue', () => {
  let queue: FairQueue<number>;
  const keys = ['a', 'a', 'a', 'b', 'c', 'b'];
  beforeEach(() => {
    queue = new FairQueue();
    for (const [number, key] of keys.entries()) queue.add(key, number, number);
  });

  function drain(fits: (key: string) => boolean): string {
    let order = '';
    for (let item = queue.next(fits); item !== undefined; item = queue.next(fits)) {
      queue.delete(keys[item]!, item);
      order += keys[item]! + item;
    }
    return order;
  }

  it('lets keys take turns, and the first of a key go first', () => {
    expect(drain(() => true)).to.equal('a0b3c4a1b5a2');
    expect(queue.size).to.equal(0);
  });

  it('passes over keys that do not fit', () => {
    expect(drain((key) => key !== 'a')).to.equal('b3c4b5');
    expect([queue.size, queue.sizeOf('a'), queue.last('a')]).to.deep.equal([3, 3, 2]);
  });

  it('loses an item from its middle', () => {
    expect([queue.delete('a', 1), queue.delete('a', 1), queue.delete('x', 1)]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(drain(() => true)).to.equal('b3c4a0b5a2');
  });
});
