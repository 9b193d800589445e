import { expect } from 'chai';

import { nextId } from './link.ts';

describe('call stream: ids', () => {
  it('start again from 1 after 2^32 - 1, without 0 and without those that are taken', () => {
    const taken = new Set([1, 2, 4]);
    expect(nextId(0, new Set())).to.equal(1);
    expect(nextId(0xfffffffe, taken)).to.equal(0xffffffff);
    expect(nextId(0xffffffff, taken)).to.equal(3);
    expect(nextId(3, taken)).to.equal(5);
  });
});
