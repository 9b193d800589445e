import { expect } from 'chai';

import { LoadOnce } from './load-once.ts';

/** A load that counts how often it ran and gives its number. */
function counter(): { load: () => Promise<number>; loads: () => number } {
  let loads = 0;
  return {
    load: async () => {
      loads += 1;
      const mine = loads;
      await Promise.resolve();
      return mine;
    },
    loads: () => loads,
  };
}

describe('LoadOnce', () => {
  it('loads once for callers who come together and for those who come later', async () => {
    const cache = new LoadOnce<number>({ maxEntries: 5 });
    const { load, loads } = counter();
    const together = await Promise.all([cache.get('k', load), cache.get('k', load)]);
    expect([...together, await cache.get('k', load)]).to.deep.equal([1, 1, 1]);
    expect(loads()).to.equal(1);
  });

  it('keeps keys apart', async () => {
    const cache = new LoadOnce<number>({ maxEntries: 5 });
    const { load } = counter();
    expect([await cache.get('k', load), await cache.get('l', load)]).to.deep.equal([1, 2]);
  });

  it('gives a failure to all callers that waited for it and to no later one', async () => {
    const cache = new LoadOnce<string>({ maxEntries: 5 });
    const failing = async (): Promise<string> => {
      await Promise.resolve();
      throw new Error('away');
    };
    const waiting = await Promise.allSettled([cache.get('k', failing), cache.get('k', failing)]);
    expect(waiting.map((outcome) => outcome.status)).to.deep.equal(['rejected', 'rejected']);
    expect(await cache.get('k', async () => 'back')).to.equal('back');
  });

  it('does not let an old failure remove what has been loaded since', async () => {
    const cache = new LoadOnce<string>({ maxEntries: 5 });
    let fail = (_error: Error): void => undefined;
    const first = cache.get(
      'k',
      () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    );
    cache.forget('k');
    expect(await cache.get('k', async () => 'second')).to.equal('second');
    fail(new Error('late'));
    expect(await first.catch((error: unknown) => String(error))).to.equal('Error: late');
    expect(await cache.get('k', async () => 'third')).to.equal('second');
  });

  it('loads anew what was forgotten, even while it was still loading', async () => {
    const cache = new LoadOnce<number>({ maxEntries: 5 });
    const { load } = counter();
    const first = cache.get('k', load);
    cache.forget('k');
    expect([await cache.get('k', load), await first, await cache.get('k', load)]).to.deep.equal([2, 1, 2]);
  });

  it('loads anew what has become too old, and not before', async () => {
    let now = 0;
    const cache = new LoadOnce<number>({ maxEntries: 5, maxAgeMs: 100, now: () => now });
    const { load } = counter();
    const seen: number[] = [];
    for (const at of [0, 99, 100, 199, 200]) {
      now = at;
      seen.push(await cache.get('k', load));
    }
    expect(seen).to.deep.equal([1, 1, 2, 2, 3]);
  });

  it('holds no more than its bound, not even of what is still loading', async () => {
    const cache = new LoadOnce<number>({ maxEntries: 2 });
    const { load, loads } = counter();
    await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key, load)));
    await cache.get('c', load);
    expect(loads()).to.equal(3);
    await cache.get('a', load);
    expect(loads()).to.equal(4);
  });
});
