import { expect } from 'chai';

import { FairTurns } from './fair-turns.ts';

describe('turns on the event loop', () => {
  let now: number;
  let next: (() => void) | undefined;
  let turns: FairTurns;
  let order: string[];

  beforeEach(() => {
    now = 0;
    next = undefined;
    order = [];
    turns = new FairTurns(
      () => now,
      (iterate) => {
        next = iterate;
      },
    );
  });

  const iterate = () => {
    const run = next;
    next = undefined;
    run?.();
  };
  const work = (group: string, ms: number) =>
    void turns.run(group, () => {
      now += ms;
      order.push(group);
    });

  it('runs work at once while there is little of it', () => {
    expect(turns.run('a', () => 1)).to.equal(1);
    work('a', 1);
    expect(turns.run('a', () => 2)).to.equal(2);
    expect(() => turns.run('a', () => JSON.parse('{'))).to.throw(SyntaxError);
  });

  it('lets input and output have their turn after 2 ms', () => {
    for (let count = 0; count < 10; count += 1) work('a', 1);
    expect(order).to.have.length(2);
    iterate();
    expect(order).to.have.length(4);
  });

  it('puts the little work of one group before all that waits of another', () => {
    for (let count = 0; count < 100; count += 1) work('busy', 1);
    work('quiet', 0.1);
    iterate();
    expect(order.slice(2)).to.deep.equal(['quiet', 'busy', 'busy']);
  });

  it('gives groups the same time, however long their pieces are', () => {
    const used = { long: 0, short: 0 };
    work('other', 2);
    for (let count = 0; count < 100; count += 1) work('long', 5);
    for (let count = 0; count < 500; count += 1) work('short', 1);
    while (used.long < 100) {
      order = [];
      iterate();
      for (const group of order) used[group as 'long'] += group === 'long' ? 5 : 1;
    }
    expect(used.short).to.be.within(94, 106);
  });

  it('keeps no time for a group that did not ask for it', () => {
    for (let count = 0; count < 100; count += 1) work('early', 1);
    for (let count = 0; count < 20; count += 1) iterate();
    order = [];
    for (let count = 0; count < 100; count += 1) work('late', 1);
    for (let count = 0; count < 10; count += 1) iterate();
    expect(order.filter((group) => group === 'early').length).to.be.within(9, 11);
  });

  it('charges what is only announced, and lets what waits for it go on in its turn', async () => {
    work('b', 0);
    const begun = [turns.take('a', 1), turns.take('a', 1)];
    expect(begun).to.deep.equal([undefined, undefined]);
    const third = turns.take('a', 1);
    expect(third).to.be.instanceOf(Promise);
    iterate();
    await third;
  });

  it('lets what is announced go on at once while no other group asks, and in turns as soon as one does', () => {
    const begun = () =>
      Array.from({ length: 10 }, () => turns.take('a', 1)).filter((turn) => turn === undefined).length;
    expect(begun()).to.equal(10);
    expect(turns.take('b', 1)).to.be.instanceOf(Promise);
    expect(begun()).to.equal(0);
    for (let count = 0; count < 20; count += 1) iterate();
    now += 1001;
    void turns.take('a', 1);
    iterate();
    expect(begun()).to.equal(10);
  });

  it('says how long the oldest work of a group has waited', () => {
    for (let count = 0; count < 3; count += 1) work('a', 2);
    now += 7;
    expect([turns.waitOf('a'), turns.waitOf('b')]).to.deep.equal([7, 0]);
    iterate();
    iterate();
    expect(turns.waitOf('a')).to.equal(0);
  });

  it('runs pieces until one is the last, and hands on what they throw', async () => {
    turns = new FairTurns();
    let left = 3;
    await turns.pieces('a', () => (left -= 1) > 0);
    expect(left).to.equal(0);
    const failed = turns.pieces('a', () => {
      throw new RangeError('x');
    });
    expect(await failed.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });
});
