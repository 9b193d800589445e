import { expect } from 'chai';

import { type Found, RecordCache, type Reading } from './record-cache.ts';
import { RefusedRecord } from './record-signature.ts';

interface Thing {
  readonly name: string;
}

/** A cache over readings that the test hands out one by one, and a clock that it moves. */
function harness(options: { maxStaleMs?: number; maxEntries?: number } = {}) {
  const clock = { now: 1_000_000 };
  const reads: { key: string; answer: (reading: Reading<Thing>) => void }[] = [];
  const cache = new RecordCache<Thing>(
    (key) => new Promise((answer) => reads.push({ key, answer })),
    (cause) => new Error('unavailable', { cause }),
    {
      maxEntries: options.maxEntries ?? 100,
      freshMs: 1000,
      maxStaleMs: options.maxStaleMs ?? 10_000,
      retryAfterMs: 500,
      now: () => clock.now,
    },
  );
  const answerNext = (reading: Reading<Thing>) => {
    const read = reads.shift();
    if (read === undefined) throw new Error('nothing was read');
    read.answer(reading);
  };
  const load = async (key: string, reading: Reading<Thing>) => {
    const got = cache.get(key);
    answerNext(reading);
    return got;
  };
  return { cache, clock, reads, answerNext, load };
}

const found = (name: string, sequence?: number): Found<Thing> => ({
  outcome: 'found',
  value: { name },
  sequence,
});
const absent: Reading<Thing> = { outcome: 'absent' };
const forged: Reading<Thing> = { outcome: 'refused', cause: new RefusedRecord('signature', 'forged') };
const away: Reading<Thing> = { outcome: 'unavailable', cause: new Error('redis is away') };

async function rejection(promise: unknown): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not reject');
}

describe('record cache', () => {
  it('answers a fresh record at once, without another reading', async () => {
    const { cache, reads, load } = harness();
    await load('a', found('one'));
    expect(cache.get('a')).to.deep.equal({ name: 'one' });
    expect(reads).to.have.length(0);
  });

  it('keeps absent records too', async () => {
    const { cache, reads, load } = harness();
    expect(await load('a', absent)).to.equal(undefined);
    expect(cache.get('a')).to.equal(undefined);
    expect(reads).to.have.length(0);
  });

  it('reads once for all that ask at the same time', async () => {
    const { cache, reads, answerNext } = harness();
    const asked = [cache.get('a'), cache.get('a'), cache.get('a')];
    expect(reads).to.have.length(1);
    answerNext(found('one'));
    expect(await Promise.all(asked)).to.deep.equal([{ name: 'one' }, { name: 'one' }, { name: 'one' }]);
  });

  it('reads again after the fresh time', async () => {
    const { cache, clock, load } = harness();
    await load('a', found('one'));
    clock.now += 1001;
    expect(await load('a', found('two'))).to.deep.equal({ name: 'two' });
    expect(cache.get('a')).to.deep.equal({ name: 'two' });
  });

  it('forgets a record whose change was announced', async () => {
    const { cache, load } = harness();
    await load('a', found('one'));
    cache.invalidate('a');
    expect(await load('a', absent)).to.equal(undefined);
  });

  it('does not keep what was being read when a change was announced', async () => {
    const { cache, reads, answerNext } = harness();
    const before = cache.get('a');
    cache.invalidate('a');
    const after = cache.get('a');
    expect(reads).to.have.length(2);
    answerNext(found('old'));
    expect(await before).to.deep.equal({ name: 'old' });
    answerNext(found('new'));
    expect(await after).to.deep.equal({ name: 'new' });
    expect(cache.get('a')).to.deep.equal({ name: 'new' });
  });

  it('never serves a record whose change was announced, not even when nothing can be read', async () => {
    const { cache, load } = harness();
    await load('a', found('revoked'));
    cache.invalidate('a');
    expect(await rejection(load('a', away))).to.have.property('message', 'unavailable');
  });

  it('serves what it last knew while nothing can be read, and tries again only after a while', async () => {
    const { cache, clock, reads, load } = harness();
    await load('a', found('one'));
    clock.now += 1001;
    expect(await load('a', away)).to.deep.equal({ name: 'one' });
    expect(cache.get('a')).to.deep.equal({ name: 'one' });
    expect(reads).to.have.length(0);
    clock.now += 501;
    expect(await load('a', found('two'))).to.deep.equal({ name: 'two' });
  });

  it('stops serving a stale record after its bounded time', async () => {
    const { clock, load } = harness({ maxStaleMs: 5000 });
    await load('a', found('one'));
    clock.now += 4999;
    expect(await load('a', away)).to.deep.equal({ name: 'one' });
    clock.now += 501;
    expect(await rejection(load('a', away))).to.have.property('message', 'unavailable');
  });

  it('rejects when nothing is known and nothing can be read', async () => {
    const { load } = harness();
    expect(await rejection(load('a', away))).to.have.property('message', 'unavailable');
  });

  it('reads every record again once announcements may have been missed', async () => {
    const { cache, load } = harness();
    await load('a', found('one'));
    cache.doubtAll();
    expect(await load('a', found('two'))).to.deep.equal({ name: 'two' });
  });

  it('serves what it last knew when the connection ends during a reading', async () => {
    const { cache, clock, answerNext, load } = harness();
    await load('a', found('one'));
    clock.now += 1001;
    const got = cache.get('a');
    cache.doubtAll();
    answerNext(away);
    expect(await got).to.deep.equal({ name: 'one' });
  });

  it('serves what it last knew in place of a forged record, and reads it again only after a while', async () => {
    const { cache, clock, reads, load } = harness();
    await load('a', found('one', 1));
    clock.now += 1001;
    expect(await load('a', forged)).to.deep.equal({ name: 'one' });
    expect(await cache.get('a')).to.deep.equal({ name: 'one' });
    expect(reads).to.have.length(0);
    clock.now += 501;
    expect(await load('a', found('two', 2))).to.deep.equal({ name: 'two' });
  });

  it('serves nothing in place of a forged record that it never knew, or not for long enough', async () => {
    const { cache, clock, reads, load } = harness({ maxStaleMs: 2000 });
    expect(await rejection(load('a', forged))).to.have.property('message', 'unavailable');
    expect(await rejection(cache.get('a'))).to.have.property('message', 'unavailable');
    expect(reads).to.have.length(0);
    await load('b', found('one', 1));
    clock.now += 2000;
    expect(await rejection(load('b', forged))).to.have.property('message', 'unavailable');
  });

  it('does not let one forged record keep others from being read', async () => {
    const { clock, load } = harness();
    await load('a', found('one', 1));
    await load('b', found('one', 1));
    clock.now += 1001;
    await load('a', forged);
    expect(await load('b', found('two', 2))).to.deep.equal({ name: 'two' });
  });

  it('never goes back to a superseded record, neither after an announcement nor after an absence', async () => {
    const { cache, clock, load } = harness();
    await load('a', found('new', 5));
    clock.now += 1001;
    expect(await load('a', found('old', 4))).to.deep.equal({ name: 'new' });
    cache.invalidate('a');
    expect(await rejection(load('a', found('old', 4)))).to.have.property('message', 'unavailable');
    clock.now += 501;
    expect(await load('a', { ...absent, sequence: 9 })).to.equal(undefined);
    cache.invalidate('a');
    expect(await rejection(load('a', found('revoked', 5)))).to.have.property('message', 'unavailable');
    clock.now += 501;
    expect(await load('a', found('made again', 10))).to.deep.equal({ name: 'made again' });
  });

  it('counts the bounded time from when a record was vouched for', async () => {
    const { clock, load } = harness({ maxStaleMs: 5000 });
    await load('a', { ...found('one'), confirmedAt: clock.now - 3000 });
    clock.now += 1999;
    expect(await load('a', away)).to.deep.equal({ name: 'one' });
    clock.now += 501;
    expect(await rejection(load('a', away))).to.have.property('message', 'unavailable');
  });

  it('holds no more records than it was given room for', async () => {
    const { cache, load } = harness({ maxEntries: 3 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) await load(key, found(key));
    expect(cache.size).to.equal(3);
  });
});
