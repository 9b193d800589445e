import { expect } from 'chai';

import { residentMb } from '../src/worker-process/process-usage.ts';
import { isRunning } from './processes.ts';
import { startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { until } from './until.ts';
import { workerOf } from './worker-of.ts';

const well = 'module.exports = () => "well";';

describe('what code leaves behind in its worker', function () {
  this.timeout(90_000);

  it('may not keep a processor busy when no call is open', async () => {
    await using runner = await startTestRunner({ limits: { wallMs: 10_000 } });
    const worker = await workerOf(runner, 'tenant-a');
    const neighbour = startSteadyTraffic(runner, 'neighbour');
    const derives = `const { pbkdf2 } = require('crypto');
      module.exports = () => {
        for (let i = 0; i < 4; i += 1) pbkdf2('a', 'b', 5e6, 20, 'sha512', () => {});
      };`;
    // Each is an isolate of its own, with four threads' worth of work.
    for (let i = 0; i < 8; i += 1) await runner.run(`${derives}//${i}`);
    await until('it is ended', () => !isRunning(worker), 30_000);
    expect(await runner.run(well)).to.equal('well');
    await neighbour.stop();
  });

  it('may not keep more memory than the worker may have', async () => {
    const limits = { wallMs: 10_000, isolateMemoryMb: 128, workerMemoryMb: 300 };
    await using runner = await startTestRunner({ limits });
    const worker = await workerOf(runner, 'tenant-a');
    const neighbour = startSteadyTraffic(runner, 'neighbour');
    const keeps = `const kept = [];
      module.exports = () => {
        kept.push(new Uint8Array(10e6).fill(1));
      };`;
    const codes = Array.from({ length: 4 }, (_, n) => `${keeps}//${n}`);
    for (let i = 0; i < 10 * codes.length; i += 1) {
      // Where the runner notices first, the call that is there then ends with the worker.
      const call = runner.run(codes[i % codes.length] ?? '');
      await call.catch(({ message }) => expect(message).to.equal('Reactor Runtime Error'));
    }
    const isSmall = () => (residentMb(worker) ?? 0) <= limits.workerMemoryMb;
    await until('it has made room, or is ended', () => !isRunning(worker) || isSmall());
    expect(await runner.run(well)).to.equal('well');
    await neighbour.stop();
  });

  it('makes room for other code of its tenant', async () => {
    await using runner = await startTestRunner({ limits: { wallMs: 10_000, workerMemoryMb: 300 } });
    const worker = await workerOf(runner, 'tenant-a');
    const code = `const kept = new Uint8Array(20e6).fill(1);
      module.exports = () => kept.length;`;
    for (let i = 0; i < 25; i += 1) expect(await runner.run(`${code}//${i}`)).to.equal(20e6);
    expect(isRunning(worker)).to.equal(true);
  });

  it('is kept while it is little, however full its worker is of what cannot go', async () => {
    await using runner = await startTestRunner({
      limits: { wallMs: 60_000, isolateMemoryMb: 200, workerMemoryMb: 300 },
    });
    const holds = `module.exports = () => {
      const held = Array.from({ length: 6 }, () => new Uint8Array(20e6).fill(1));
      return new Promise((resolve) => setTimeout(resolve, 50_000, held.length));
    };`;
    const abort = new AbortController();
    const held = runner.run(holds, {}, { signal: abort.signal }).catch(({ code }) => String(code));
    // Which worker it is cannot be said before: on a busy machine a call that has not begun is taken back from a silent one.
    const isFull = (worker: number) => (residentMb(worker) ?? 0) > 0.6 * 300;
    await until('its worker is full', () => runner.workers().some(isFull));
    const counts = `let calls = 0;
      module.exports = () => {
        for (const end = Date.now() + 10; Date.now() < end; );
        return (calls += 1);
      };`;
    for (let call = 1; call <= 5; call += 1) expect(await runner.run(counts)).to.equal(call);
    abort.abort();
    expect(await held).to.equal('cancelled');
  });

  it('is no reason to end the calls of others that wait', async () => {
    await using runner = await startTestRunner({ workers: 2, limits: { wallMs: 10_000 } });
    const waits = `module.exports = async (req) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return req;
    };`;
    const never = 'module.exports = () => new Promise(() => {});';
    const abort = new AbortController();
    const others = Array.from({ length: 8 }, (_, n) =>
      runner.run(never, {}, { tenant: `other-${n}`, signal: abort.signal }).catch(({ code }) => String(code)),
    );
    for (let n = 0; n < 4; n += 1) expect(await runner.run(waits, n, { timeoutMs: 60_000 })).to.equal(n);
    abort.abort();
    expect(new Set(await Promise.all(others))).not.to.include('unavailable');
  });
});
