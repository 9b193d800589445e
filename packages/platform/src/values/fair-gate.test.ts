import { setImmediate as turn } from 'node:timers/promises';

import { expect } from 'chai';

import { FairGate } from './fair-gate.ts';

/** Work that lasts until it is ended. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = false;
  return {
    work: () => {
      begun = true;
      return promise;
    },
    end: resolve,
    get begun() {
      return begun;
    },
  };
}

describe('FairGate', () => {
  it('lets a tenant wait for itself, and others pass', async () => {
    const gate = new FairGate(2);
    const [first, second, other] = [heldWork(), heldWork(), heldWork()];
    const all = [gate.run('a', first.work), gate.run('a', second.work), gate.run('b', other.work)];
    await turn();
    expect([first.begun, second.begun, other.begun]).to.deep.equal([true, false, true]);
    first.end();
    await turn();
    expect(second.begun).to.equal(true);
    second.end();
    other.end();
    await Promise.all(all);
  });

  it('lets no more run at once than it may', async () => {
    const gate = new FairGate(2);
    const works = ['a', 'b', 'c'].map((tenant) => ({ tenant, held: heldWork() }));
    const all = works.map(({ tenant, held }) => gate.run(tenant, held.work));
    await turn();
    expect(works.map(({ held }) => held.begun)).to.deep.equal([true, true, false]);
    for (const { held } of works) held.end();
    await Promise.all(all);
    expect(works.map(({ held }) => held.begun)).to.deep.equal([true, true, true]);
  });

  it('goes on after work that has failed', async () => {
    const gate = new FairGate(1);
    const failed = gate.run('a', () => Promise.reject(new Error('no')));
    await failed.catch(() => undefined);
    expect(await gate.run('a', () => Promise.resolve(1))).to.equal(1);
  });
});
