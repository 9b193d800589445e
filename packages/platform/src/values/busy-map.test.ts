import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';

import { BusyMap } from './busy-map.ts';

describe('a map for what comes and goes', () => {
  it('gives, replaces and deletes values by their keys', () => {
    const map = new BusyMap<number, string>();
    map.set(1, 'a');
    map.set(2, 'b');
    map.set(1, 'c');
    expect([map.size, map.get(1), map.get(2), map.get(3)]).to.deep.equal([2, 'c', 'b', undefined]);
    expect([map.delete(1), map.delete(1)]).to.deep.equal([true, false]);
    expect([map.size, map.has(1), map.has(2)]).to.deep.equal([1, false, true]);
  });

  it('keeps the order of insertion, wherever there was room', () => {
    const map = new BusyMap<string, string>();
    for (const key of ['a', 'b', 'c', 'd']) map.set(key, key);
    map.delete('a');
    map.delete('c');
    for (const key of ['e', 'f', 'g']) map.set(key, key);
    expect([...map.values()]).to.deep.equal(['b', 'd', 'e', 'f', 'g']);
    expect(map.first()).to.equal('b');
    map.clear();
    expect([map.size, map.first(), ...map.values()]).to.deep.equal([0, undefined]);
  });

  it('may be emptied during an iteration', () => {
    const map = new BusyMap<number, number>();
    for (let n = 0; n < 10; n += 1) map.set(n, n);
    const seen: number[] = [];
    for (const n of map.values()) {
      seen.push(n);
      map.delete(n);
      map.delete(n + 1);
    }
    expect(seen).to.deep.equal([0, 2, 4, 6, 8]);
    expect(map.size).to.equal(0);
  });

  it('lets deleted values go with the next collection, after a full one too', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
    const map = new BusyMap<number, unknown[]>();
    let last = 0;
    const churn = (count: number) => {
      for (const end = last + count; last < end; last += 1) {
        map.set(
          last,
          Array.from({ length: 100 }, () => last),
        );
        map.delete(last - 100);
        if (last % 1000 === 0) collect({ type: 'minor' });
      }
    };
    churn(1000);
    collect();
    const before = process.memoryUsage().heapUsed;
    churn(20_000);
    collect({ type: 'minor' });
    // A Map would still have more than half of the 16 MB.
    expect(process.memoryUsage().heapUsed - before).to.be.below(4_000_000);
  });
});
