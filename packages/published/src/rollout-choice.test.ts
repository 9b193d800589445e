import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { type Chosen, getsSecond } from './rollout-choice.ts';

const chosen = (percent: number, more: Partial<Chosen> = {}): Chosen => ({
  subjectId: 'c0b1c2d3-0000-4000-8000-000000000001',
  version: 7,
  percent,
  header: 'x-customer',
  ...more,
});
const values = Array.from({ length: 10_000 }, (_, n) => `customer-${n}`);
const shareOf = (choices: readonly boolean[]) => (100 * choices.filter(Boolean).length) / choices.length;

/** contract/rollouts.md#who-gets-which-version */
describe('the choice between two versions', () => {
  for (const percent of [0, 1, 10, 50, 90, 99.5, 100]) {
    it(`gives ${percent} % of 10,000 values the second one, to 2 % of all, and of 10,000 by chance too`, () => {
      const byValue = shareOf(values.map((value) => getsSecond(chosen(percent), value)));
      const random = (n: number) => n / values.length;
      const byChance = shareOf(
        values.map((_, n) => getsSecond(chosen(percent, { header: '' }), undefined, random(n))),
      );
      for (const share of [byValue, byChance]) {
        expect(share).to.be.closeTo(percent, 2);
        if (percent % 100 === 0) expect(share).to.equal(percent);
      }
    });
  }

  it('never flips for a value, whatever chance says, and a growing share only adds to it', () => {
    let before = new Set<string>();
    for (const percent of [0, 5, 20, 20, 60, 100]) {
      const of = (random: number) =>
        new Set(values.filter((value) => getsSecond(chosen(percent), value, random)));
      const now = of(0);
      expect(of(0.999)).to.deep.equal(now);
      expect(before.isSubsetOf(now), `${percent} %`).to.equal(true);
      before = now;
    }
  });

  it('is the same in every release', () => {
    const second = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].filter((value) => getsSecond(chosen(50), value));
    expect(second.join('')).to.equal('adeg');
  });

  it('is another one for another version and another proxy', () => {
    const seconds = [chosen(10), chosen(10, { version: 8 }), chosen(10, { subjectId: randomUUID() })].map(
      (each) => new Set(values.filter((value) => getsSecond(each, value))),
    );
    const [one, ...others] = seconds;
    for (const other of others) expect(one!.intersection(other).size).to.be.lessThan(200);
  });

  it('is by chance where the header is missing', () => {
    expect(getsSecond(chosen(50), undefined, 0.49)).to.equal(true);
    expect(getsSecond(chosen(50), undefined, 0.5)).to.equal(false);
  });
});
