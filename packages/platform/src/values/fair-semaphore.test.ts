import { setImmediate } from 'node:timers/promises';

import { expect } from 'chai';

import { FairSemaphore } from './fair-semaphore.ts';

describe('a fair semaphore', () => {
  let running: string[];
  let ends: Map<string, () => void>;
  const start = (semaphore: FairSemaphore, group: string, name: string) =>
    void semaphore.run(group, async () => {
      running.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await setImmediate();
  };

  beforeEach(() => {
    running = [];
    ends = new Map();
  });

  it('keeps a place for another group, however many tasks of one wait', () => {
    const semaphore = new FairSemaphore(3);
    for (const name of ['a1', 'a2', 'a3', 'a4']) start(semaphore, 'a', name);
    expect(running).to.deep.equal(['a1', 'a2']);
    start(semaphore, 'b', 'b1');
    expect(running).to.deep.equal(['a1', 'a2', 'b1']);
  });

  it('lets groups take turns, and a single one has its only place', async () => {
    const semaphore = new FairSemaphore(1);
    for (const name of ['a1', 'a2', 'a3']) start(semaphore, 'a', name);
    for (const name of ['b1', 'b2']) start(semaphore, 'b', name);
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(running).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('gives the place of a task that fails to the next', async () => {
    const semaphore = new FairSemaphore(1);
    const failed = semaphore.run('a', () => Promise.reject(new Error('x'))).catch(() => 'failed');
    start(semaphore, 'a', 'next');
    expect(await failed).to.equal('failed');
    await setImmediate();
    expect(running).to.deep.equal(['next']);
  });
});
