import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { isRunning } from './processes.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { until } from './until.ts';
import { workerOf, workersBy } from './worker-of.ts';

const waits = 'module.exports = () => new Promise(() => {});';
const waitsABit = 'module.exports = () => new Promise((resolve) => setTimeout(() => resolve(1), 1500));';

function status(pid: number, field: string): string[] {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${field}:`));
  return (line ?? '').split(/\s+/).slice(1).filter(Boolean);
}

describe('worker processes', () => {
  let runner: TestRunner;
  beforeEach(async () => {
    runner = await startTestRunner({ workers: 2, limits: { wallMs: 5000 } });
  });
  afterEach(() => runner[Symbol.asyncDispose]());

  it('are children of the runner with an empty environment', async () => {
    await runner.run('module.exports = () => 1;');
    const workers = runner.workers();
    expect(workers).not.to.deep.equal([]);
    for (const pid of workers) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).to.equal('');
  });

  it('have no privilege, and each its own user when root has started them', async function () {
    if (process.getuid?.() !== 0) this.skip();
    await Promise.all(['a', 'b'].map((tenant) => runner.run('module.exports = () => 1;', {}, { tenant })));
    await until('none is being started', async () => (await workersBy(runner, 'spare')) === 1);
    const workers = runner.workers();
    expect(workers).to.have.length(3);
    const users = workers.map((pid) => status(pid, 'Uid'));
    for (const user of users) {
      expect(new Set(user).size).to.equal(1);
      expect(user[0]).not.to.equal('0');
    }
    expect(new Set(users.map(([uid]) => uid)).size).to.equal(workers.length);
    for (const pid of workers) {
      expect(status(pid, 'Gid')).not.to.include('0');
      expect(status(pid, 'Groups')).to.deep.equal([]);
      expect(status(pid, 'CapEff')).to.deep.equal(['0000000000000000']);
      expect(status(pid, 'NoNewPrivs')).to.deep.equal(['1']);
      expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).to.match(/Max core file size\s+0\s+0/);
    }
  });

  it('serve one tenant in their life', async () => {
    const served = new Map<number, string>();
    for (const tenant of ['a', 'b', 'c', 'a', 'a', 'b']) {
      const worker = await workerOf(runner, tenant);
      expect(served.get(worker) ?? tenant).to.equal(tenant);
      served.set(worker, tenant);
      expect(await workersBy(runner, 'serving')).to.be.at.most(2);
    }
    expect(served.size).to.be.at.least(3);
  });

  it('take nothing with them when they are killed that has had no effect, and are replaced', async () => {
    const victim = await workerOf(runner, 'doomed');
    const doomed = ['first', 'second'].map((n) => runner.run(waitsABit, n, { tenant: 'doomed' }));
    await runner.run('module.exports = () => 1;', {}, { tenant: 'doomed' });
    const neighbour = startSteadyTraffic(runner, 'neighbour');
    process.kill(victim, 'SIGKILL');
    // They have had no effect, so they begin again in another.
    expect(await Promise.all(doomed)).to.deep.equal([1, 1]);
    expect(await workerOf(runner, 'doomed')).not.to.equal(victim);
    expect((await neighbour.stop()).calls).to.be.greaterThan(0);
    expect(isRunning(victim)).to.equal(false);
  });

  it('are replaced when idle ones are killed', async () => {
    for (let round = 0; round < 2; round += 1) {
      const victims = runner.workers();
      for (const pid of victims) process.kill(pid, 'SIGKILL');
      await until('others are there', async () => {
        const now = runner.workers();
        const isOther = now.length > 0 && !now.some((pid) => victims.includes(pid));
        return isOther && (await workersBy(runner, 'spare')) === 1;
      });
      expect(await runner.run('module.exports = () => 1;')).to.equal(1);
    }
  });

  it('end with the runner', async () => {
    void runner.run(waits).catch(() => {});
    void runner.run('module.exports = () => { for (;;); };', {}, { tenant: 'b' }).catch(() => {});
    await until('two workers are there', () => runner.workers().length >= 2);
    const workers = runner.workers();
    await runner[Symbol.asyncDispose]();
    expect(workers.filter(isRunning)).to.deep.equal([]);
  });
});
