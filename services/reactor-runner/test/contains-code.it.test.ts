import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { isRunning } from './processes.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { until } from './until.ts';
import { workerOf, workersBy } from './worker-of.ts';

const wallMs = 1000;

describe('code that does harm', function () {
  this.timeout(120_000);
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner({ workers: 2, limits: { wallMs } });
    for (const tenant of ['neighbour', 'attacker'])
      await runner.run('module.exports = () => 1;', {}, { tenant });
  });
  after(() => runner[Symbol.asyncDispose]());

  it('costs one worker process when it takes more memory than the isolate can count', async () => {
    await using fresh = await startTestRunner({ workers: 2, limits: { wallMs } });
    for (const tenant of ['neighbour', 'attacker'])
      await fresh.run('module.exports = () => 1;', {}, { tenant });
    const ready = async () =>
      (await workersBy(fresh, 'serving')) === 2 && (await workersBy(fresh, 'spare')) === 1;
    await until('all workers are ready', ready);
    const before = fresh.workers();
    const neighbour = startSteadyTraffic(fresh, 'neighbour');
    const code = 'module.exports = () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, i); };';
    await failureOf(fresh.run(code, {}, { tenant: 'attacker' }));
    expect(await fresh.run('module.exports = () => 1;', {}, { tenant: 'attacker' })).to.equal(1);
    await neighbour.stop();
    await until('it is replaced', ready);
    expect(before.filter((pid) => !fresh.workers().includes(pid))).to.have.length(1);
  });

  it('is not ended for what other code of its tenant has left in the worker', async () => {
    await using fresh = await startTestRunner({ workers: 1, limits: { wallMs: 5000 } });
    const run = (code: string) => fresh.run(code, {}, { tenant: 'tenant-a' }).catch(String);
    const idle = Array.from({ length: 20 }, (_, n) => `module.exports = () => 'idle ${n}';`);
    for (const [n, code] of idle.entries()) expect(await run(code)).to.equal(`idle ${n}`);
    // Each holds 48 MB from its second call on.
    const heavy = Array.from(
      { length: 10 },
      (_, n) => `let kept; module.exports = () => {
        if (kept !== undefined) kept.push(...Array.from({ length: 48 }, () => new Uint8Array(1e6).fill(1)));
        kept ??= [];
        return 'heavy ${n}';
      };`,
    );
    for (const round of [1, 2]) {
      for (const [n, code] of heavy.entries())
        expect(await run(code), `round ${round}`).to.equal(`heavy ${n}`);
    }
    expect(await run(idle[0] as string)).to.equal('idle 0');
  });

  it('loses its worker when its time is over, and goes on in one that was ready before', async () => {
    await until('the other runner starts none', async () => (await workersBy(runner, 'spare')) === 1);
    const others = runner.workers();
    await using fresh = await startTestRunner({ workers: 2, limits: { wallMs } });
    const [old, neighbour] = [await workerOf(fresh, 'attacker'), await workerOf(fresh, 'neighbour')];
    await until('a spare worker is ready', async () => (await workersBy(fresh, 'spare')) === 1);
    const ready = fresh.workers().filter((pid) => ![old, neighbour, ...others].includes(pid));
    expect(ready).to.have.length(1);
    const loop = 'module.exports = () => { for (;;); };';
    const looping = failureOf(fresh.run(loop, {}, { tenant: 'attacker' }));
    expect((await looping).errors['error']).to.deep.equal([
      'The code did not finish within its time limit of 1 second.',
    ]);
    expect(await fresh.run('module.exports = () => 1;', {}, { tenant: 'attacker' })).to.equal(1);
    await until('the old one is gone', () => !isRunning(old));
    expect(ready.every(isRunning)).to.equal(true);
    expect(await workerOf(fresh, 'attacker')).to.equal(ready[0]);
    expect(await workerOf(fresh, 'neighbour')).to.equal(neighbour);
  });

  it('can keep neither a worker nor the queue from others, however often it is called', async () => {
    const loop = 'module.exports = () => { for (;;); };';
    const calls = Array.from({ length: 200 }, () =>
      failureOf(runner.run(loop, {}, { tenant: 'attacker', timeoutMs: 3000 })),
    );
    const neighbours = ['neighbour-1', 'neighbour-2', 'neighbour-3'].map((tenant) =>
      startSteadyTraffic(runner, tenant),
    );
    const errors = await Promise.all(calls);
    for (const { code } of errors)
      expect(code).to.be.oneOf(['internal', 'deadline_exceeded', 'rate_limited']);
    for (const neighbour of neighbours) expect((await neighbour.stop()).calls).to.be.greaterThan(0);
  });

  it('is refused when its tenant has too many calls open, and the others are not', async () => {
    await using small = await startTestRunner({ limits: { callsPerTenant: 3, wallMs } });
    const never = 'module.exports = () => new Promise(() => {});';
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => (await failureOf(small.run(never))).code),
    );
    expect(codes.toSorted()).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'internal'),
      ...Array.from({ length: 3 }, () => 'rate_limited'),
    ]);
    expect(await small.run('module.exports = () => 1;', {}, { tenant: 'neighbour' })).to.equal(1);
  });

  it('is not logged, and is counted', async () => {
    const secret = 'canary-4242';
    await failureOf(
      runner.run(`module.exports = (req) => { throw new Error(req.card); };`, { card: secret }),
    );
    await failureOf(runner.run('module.exports = (req) => { for (;;) req.card; };', { card: secret }));
    expect(runner.log.join('\n')).not.to.contain(secret);
    const misbehaviour = runner.log.findLast((line) => line.includes('user code misbehaved')) ?? '{}';
    expect(JSON.parse(misbehaviour)).to.include({
      tenantId: 'tenant-a',
      outcome: 'timeout',
      correlationId: 'correlation-1',
    });
    const metrics = await (await fetch(`http://127.0.0.1:${runner.metricsPort}/metrics`)).text();
    expect(metrics).to.match(
      /glovebox_runner_runs_total\{outcome="timeout",service="reactor-runner"\} [1-9]/,
    );
    expect(metrics).to.match(/glovebox_runner_workers\{state="serving",service="reactor-runner"\} [1-9]/);
  });
});
