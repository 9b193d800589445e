import { expect } from 'chai';

import { expectNoCrash } from './expect-no-crash.ts';
import { isRunning } from './processes.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { workerOf } from './worker-of.ts';

/** Waits for a bit of everything that the host does, and says which part of it is done first. */
const waitsForHost = `
  const crypto = require('crypto');
  const zlib = require('zlib');
  module.exports = (req) => new Promise((resolve) => {
    for (let i = 0; i < 6; i += 1) {
      crypto.pbkdf2('a', 'b', 20_000, 32, 'sha512', () => {});
      crypto.generateKeyPair('rsa', { modulusLength: 2048 }, () => {});
      zlib.gzip(Buffer.alloc(1e5, i), () => {});
      setInterval(() => {}, 1);
    }
    if (req.ends) setTimeout(resolve, req.ends, 'ended');
  });`;

describe('the end of code that the host works for', function () {
  this.timeout(180_000);

  it('crashes nothing in 4,000 isolates that are disposed under way', () => expectNoCrash(2000));

  describe('in a runner', () => {
    let runner: TestRunner;
    beforeEach(async () => {
      runner = await startTestRunner({ workers: 2, limits: { wallMs: 10_000 } });
      await runner.run('module.exports = () => 1;', {}, { tenant: 'neighbour' });
    });
    afterEach(() => runner[Symbol.asyncDispose]());

    it('leaves the worker to its tenant when calls are cancelled, time and again', async () => {
      const worker = await workerOf(runner, 'tenant-a');
      const neighbour = startSteadyTraffic(runner, 'neighbour');
      for (let round = 0; round < 40; round += 1) {
        const abort = new AbortController();
        const calls = Array.from({ length: 3 }, () =>
          runner.run(waitsForHost, {}, { signal: abort.signal }).then(String, ({ code }) => String(code)),
        );
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        abort.abort();
        expect(new Set(await Promise.all(calls))).to.deep.equal(new Set(['cancelled']));
      }
      expect(await runner.run(waitsForHost, { ends: 5 })).to.equal('ended');
      expect(isRunning(worker)).to.equal(true);
      expect((await neighbour.stop()).calls).to.be.greaterThan(10);
    });

    it('ends no call for good when the worker is killed, time and again: code without an effect begins again', async () => {
      const neighbour = startSteadyTraffic(runner, 'neighbour');
      const told: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        const worker = await workerOf(runner, 'tenant-a');
        const calls = Array.from({ length: 4 }, () =>
          runner.run(waitsForHost, { ends: 300 }).then(String, ({ errors }) => String(errors['error'])),
        );
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
        process.kill(worker, 'SIGKILL');
        told.push(...(await Promise.all(calls)));
      }
      expect(told).to.deep.equal(Array(16).fill('ended'));
      expect((await neighbour.stop()).calls).to.be.greaterThan(10);
    });
  });
});
