import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { workersBy } from './worker-of.ts';

describe('a worker process', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner({ workers: 2 });
  });
  after(() => runner[Symbol.asyncDispose]());

  const busy = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${runner.metricsPort}/metrics`)).text();
    return Number(/^glovebox_runner_busy_workers\{.*\} (\d+)$/m.exec(metrics)?.[1]);
  };

  it('counts as busy while it has a run, and not for as long as it keeps its tenant', async () => {
    const caller = new AbortController();
    const waits = 'module.exports = () => new Promise(() => {});';
    const run = failureOf(runner.run(waits, {}, { tenant: 'a', signal: caller.signal }));
    await until('it is busy', async () => (await busy()) === 1);
    caller.abort();
    expect((await run).code).to.equal('cancelled');
    await until('it is not any more', async () => (await busy()) === 0);
    expect(await workersBy(runner, 'serving')).to.equal(1);
  });
});
