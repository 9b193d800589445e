import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { workerOf, workersBy } from './worker-of.ts';

const loop = 'module.exports = () => { for (;;); };';
const processorTime = 'The code used more processor time than its limit of 600 ms.';
const otherCode =
  'Other code ended the process that ran this code. It is unknown how far this code came, so it was not run again.';

/** Code that its tenant may have beside code that does no harm. */
const bad: Readonly<Record<string, string>> = {
  loops: loop,
  'floods memory': 'module.exports = () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]); };',
  recurses: 'module.exports = () => { const f = () => { for (;;) { try { f(); } catch {} } }; f(); };',
  'has a catastrophic expression': `module.exports = () => /^(a+)+$/.test('a'.repeat(60) + 'b');`,
  'floods promises': 'module.exports = async () => { for (;;) await Promise.all([1, 2, 3]); };',
  'keeps the host busy': `module.exports = () => { for (;;) require('crypto').pbkdf2Sync('a', 'b', 1e5, 32, 'sha256'); };`,
};

/** What does no harm: some of it waits, so that it is in the worker when that is held up. */
const good = [0, 1, 2, 3].map(
  (n) => `module.exports = async ({ i }) => {
    if (i % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    return { good: ${n}, i };
  };`,
);

describe('code that does harm', function () {
  this.timeout(120_000);
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner({ workers: 2, limits: { wallMs: 30_000, cpuMs: 600 } });
  });
  after(() => runner[Symbol.asyncDispose]());

  for (const [what, code] of Object.entries(bad)) {
    it(`fails alone when it ${what}, and no call of its tenant’s other code does`, async () => {
      await isReady(runner);
      for (const text of good) await runner.run(text, { i: 1 });
      const harm = failureOf(runner.run(code));
      await callGood(runner, 170);
      expect((await harm).code).to.equal('internal');
    });
  }

  it('is ended at its limit of processor time, and the error says which limit that is', async () => {
    const error = await failureOf(runner.run(`${loop} // once`));
    expect(error).to.include({ code: 'internal', message: 'Reactor Runtime Error' });
    expect(error.errors).to.deep.equal({ error: [processorTime] });
  });

  it('is charged for all of its turns together', async () => {
    const turns = `module.exports = async () => {
      for (;;) {
        const end = Date.now() + 50;
        while (Date.now() < end);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };`;
    expect((await failureOf(runner.run(turns))).errors).to.deep.equal({ error: [processorTime] });
  });

  it('is the only one that is charged, and not for what it waits', async () => {
    const waits = 'module.exports = () => new Promise((resolve) => setTimeout(() => resolve(1), 1500));';
    const burns =
      'module.exports = () => { const end = Date.now() + 250; while (Date.now() < end); return 2; };';
    const waiting = runner.run(waits);
    for (let n = 0; n < 4; n += 1) expect(await runner.run(burns, { n })).to.equal(2);
    expect(await waiting).to.equal(1);
  });

  it('leaves what waits behind it to another worker, and ends when its caller has gone', async () => {
    const limits = { wallMs: 60_000, cpuMs: 60_000 };
    await using runner = await startTestRunner({ workers: 2, limits });
    await using server = await startCounting();
    for (const text of good) await runner.run(text, { i: 1 });
    await isReady(runner);
    const caller = new AbortController();
    // It has had an effect, so it cannot begin elsewhere.
    const harm = failureOf(runner.run(loopAfterRequest(server.port), {}, { signal: caller.signal }));
    await until('it has sent its request', () => server.requests === 1);
    await Promise.all(good.map((text) => runner.run(text, { i: 1 })));
    expect(await countOf(runner, 'glovebox_runner_busy_workers')).to.equal(1);
    caller.abort();
    expect((await harm).code).to.equal('cancelled');
    await until(
      'its worker is free',
      async () => (await countOf(runner, 'glovebox_runner_busy_workers')) === 0,
    );
    expect(server.requests).to.equal(1);
    expect(await countOf(runner, 'glovebox_runner_runs_begun_again_total{cause="held_up"')).to.be.above(0);
  });

  it('runs alone after it has cost a worker, one run at a time, until it is forgiven', async () => {
    const sometimes = `module.exports = async ({ loops, ms }) => {
      if (loops) for (;;);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return process.hrtime()[0] * 1e3 + process.hrtime()[1] / 1e6;
    };`;
    await failureOf(runner.run(sometimes, { loops: true }));
    expect(await countOf(runner, 'glovebox_runner_quarantined_codes')).to.be.above(0);
    const ends = (await Promise.all([1, 2, 3].map(() => runner.run(sometimes, { ms: 100 })))) as number[];
    const sorted = ends.toSorted((a, b) => a - b);
    for (const [n, at] of sorted.slice(1).entries()) expect(at - sorted[n]!).to.be.at.least(90);
    expect(await countOf(runner, 'glovebox_runner_workers{state="apart"')).to.equal(1);
  });

  describe('and a worker that is killed', () => {
    it('cost the runs that had no effect nothing: they run again, once', async () => {
      const tenant = 'bystander';
      const waits = (n: number) =>
        `module.exports = () => new Promise((resolve) => setTimeout(() => resolve(${n}), 2000));`;
      const victim = await workerOf(runner, tenant);
      const runs = [1, 2, 3].map((n) => runner.run(waits(n), {}, { tenant }));
      await new Promise((resolve) => setTimeout(resolve, 500));
      process.kill(victim, 'SIGKILL');
      expect(await Promise.all(runs)).to.deep.equal([1, 2, 3]);
      expect(await countOf(runner, 'glovebox_runner_runs_begun_again_total{cause="worker_lost"')).to.be.above(
        0,
      );
    });

    it('never run code twice that has had an effect, and say whose fault it was not', async () => {
      await using server = await startCounting();
      const asks = `module.exports = async () => {
        await ${requestTo(server.port)};
        await new Promise(() => {});
      };`;
      const waits = 'module.exports = () => new Promise((resolve) => setTimeout(() => resolve(1), 2000));';
      const [asked, waited] = [failureOf(runner.run(asks)), runner.run(waits)];
      await until('it has sent its request', () => server.requests === 1);
      for (const pid of runner.workers()) process.kill(pid, 'SIGKILL');
      expect((await asked).errors['error']?.[0]).to.be.oneOf([
        otherCode,
        'The process that ran the code ended unexpectedly.',
      ]);
      expect(await waited).to.equal(1);
      expect(server.requests).to.equal(1);
    });
  });
});

function requestTo(port: number): string {
  return `new Promise((resolve) => require('http').get('http://127.0.0.1:${port}/', (r) => r.resume().on('end', resolve)))`;
}

function loopAfterRequest(port: number): string {
  return `module.exports = async () => { await ${requestTo(port)}; for (;;); };`;
}

/** Calls of good code, ten at a time. Rejects when one fails. */
async function callGood(runner: TestRunner, calls: number): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < calls) {
      const i = next;
      next += 1;
      expect(await runner.run(good[i % good.length]!, { i })).to.deep.equal({ good: i % good.length, i });
    }
  };
  await Promise.all(Array.from({ length: 10 }, caller));
}

/** The spare worker has started: on a busy machine that takes seconds. */
function isReady(runner: TestRunner): Promise<void> {
  return until('a spare worker is ready', async () => (await workersBy(runner, 'spare')) === 1);
}

async function countOf(runner: TestRunner, series: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${runner.metricsPort}/metrics`)).text();
  const line = metrics.split('\n').find((text) => text.startsWith(series));
  return Number(line?.slice(line.lastIndexOf(' ') + 1));
}

interface CountingServer extends AsyncDisposable {
  readonly port: number;
  readonly requests: number;
}

async function startCounting(): Promise<CountingServer> {
  const state = { requests: 0 };
  const server = createServer((_request, response) => {
    state.requests += 1;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get requests() {
      return state.requests;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
