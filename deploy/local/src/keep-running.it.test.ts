import { EventEmitter, once } from 'node:events';

import { expect } from 'chai';

import { type Child, spawnChild } from './child.ts';
import { keepRunning } from './keep-running.ts';

describe('keep running', () => {
  const sleeper = (): Promise<Child> =>
    spawnChild({
      name: 'sleeper',
      command: '/bin/sleep',
      args: ['1000'],
      env: {},
      stopSignal: 'SIGTERM',
      graceMs: 2_000,
      rank: 1,
    });

  it('starts what was killed again, under another process id', async () => {
    const events = new EventEmitter();
    const started: number[] = [];
    await using kept = await keepRunning({
      name: 'sleeper',
      start: sleeper,
      onStarted: (_, pid) => {
        started.push(pid);
        events.emit('started');
      },
    });
    const again = once(events, 'started');
    process.kill(kept.pid() as number, 'SIGKILL');
    await again;
    expect(started).to.have.length(2);
    expect(kept.pid()).to.equal(started[1]);
  });

  it('throws when the first start fails', async () => {
    const outcome = await keepRunning({
      name: 'none',
      start: () => Promise.reject(new Error('no such thing')),
    }).catch((error: unknown) => String(error));
    expect(outcome).to.equal('Error: no such thing');
  });

  it('goes on trying when a later start fails', async () => {
    const events = new EventEmitter();
    let starts = 0;
    await using kept = await keepRunning({
      name: 'sleeper',
      start: () => {
        starts += 1;
        return starts === 2 ? Promise.reject(new Error('not now')) : sleeper();
      },
      onStarted: (_, pid) => events.emit('started', pid),
    });
    const again = once(events, 'started');
    process.kill(kept.pid() as number, 'SIGKILL');
    await again;
    expect(starts).to.equal(3);
  });

  it('starts nothing any more once it is disposed', async () => {
    let starts = 0;
    const kept = await keepRunning({
      name: 'sleeper',
      start: () => {
        starts += 1;
        return sleeper();
      },
    });
    process.kill(kept.pid() as number, 'SIGKILL');
    await kept[Symbol.asyncDispose]();
    await kept[Symbol.asyncDispose]();
    expect([starts, kept.pid()]).to.deep.equal([1, undefined]);
  });
});
