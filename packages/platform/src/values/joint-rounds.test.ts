import { expect } from 'chai';

import { JointRounds, type PerformRound } from './joint-rounds.ts';

describe('joint rounds', () => {
  /** Rounds that end when the test says so. */
  const rounds = () => {
    const begun: {
      readonly items: readonly number[];
      readonly free: () => void;
      readonly end: () => void;
    }[] = [];
    const perform: PerformRound<number> = (items, free) =>
      new Promise((end) => begun.push({ items, free, end }));
    return { begun, perform, itemsOf: () => begun.map(({ items }) => items) };
  };
  const soon = () => new Promise(setImmediate);

  it('begin at once when none is under way, and join what waits', async () => {
    const joint = new JointRounds(10, 60_000);
    const { begun, perform, itemsOf } = rounds();
    const ended: string[] = [];
    void joint.run([1], perform).then(() => ended.push('first'));
    void joint.run([2, 3], perform).then(() => ended.push('second'));
    void joint.run([4], perform).then(() => ended.push('third'));
    expect(itemsOf()).to.deep.equal([[1]]);
    begun[0]!.end();
    await soon();
    expect(itemsOf()).to.deep.equal([[1], [2, 3, 4]]);
    expect(ended).to.deep.equal(['first']);
    begun[1]!.end();
    await soon();
    expect(ended).to.deep.equal(['first', 'second', 'third']);
  });

  it('give their place away before they end, once', async () => {
    const joint = new JointRounds(10, 60_000);
    const { begun, perform, itemsOf } = rounds();
    for (const n of [1, 2, 3]) void joint.run([n], perform);
    begun[0]!.free();
    begun[0]!.free();
    expect(itemsOf()).to.deep.equal([[1], [2, 3]]);
    void joint.run([4], perform);
    begun[0]!.end();
    await soon();
    expect(itemsOf()).to.have.length(2);
  });

  it('hold at most so many items, but never part what came together', async () => {
    const joint = new JointRounds(2, 60_000);
    const { begun, perform, itemsOf } = rounds();
    for (const items of [[0], [1], [2], [3, 4, 5], [6]]) void joint.run(items, perform);
    for (let at = 0; at < 4; at += 1) {
      begun[at]!.end();
      await soon();
    }
    expect(itemsOf()).to.deep.equal([[0], [1, 2], [3, 4, 5], [6]]);
  });

  it('go on after one has failed', async () => {
    const joint = new JointRounds(2, 60_000);
    const failed = joint.run([1], () => Promise.reject(new Error('failed'))).catch(() => 'failed');
    const { begun, perform } = rounds();
    const next = joint.run([2], perform);
    expect(await failed).to.equal('failed');
    begun[0]!.end();
    await next;
  });

  it('do not wait for one that takes too long', async () => {
    const joint = new JointRounds(10, 5);
    const { begun, perform, itemsOf } = rounds();
    void joint.run([1], perform);
    const second = joint.run([2], perform);
    while (begun.length < 2) await soon();
    expect(itemsOf()).to.deep.equal([[1], [2]]);
    // The slow one has lost its place already.
    void joint.run([3], perform);
    begun[0]!.end();
    await soon();
    expect(begun).to.have.length(2);
    begun[1]!.end();
    await second;
    expect(itemsOf()).to.deep.equal([[1], [2], [3]]);
    begun[2]!.end();
  });
});
