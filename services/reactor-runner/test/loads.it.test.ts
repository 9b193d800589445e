import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { RunnerServiceService } from '@glovebox/protos/runner/v1/runner';
import { expect } from 'chai';

import { Loader } from '../src/scheduling/loader.ts';
import { otherToken } from './connection.ts';
import { isRunning } from './processes.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { until } from './until.ts';
import { limits } from './worker-limits.ts';

const loadMs = 1000;
const good = 'module.exports = () => 1;';
const endless = 'for (;;);';

/** Code is loaded once before it is stored: what it does at its top then shows. */
describe('loading code to see whether it can be run', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner({ limits: { loadMs } });
    // In a new checkout the packages are bundled first.
    await until('all is there that code may require', async () => (await load(good)) === 'loaded', 300_000);
  });
  after(() => runner[Symbol.asyncDispose]());

  /** `loaded`, `notTried`, or the problem. */
  async function load(code: string, tenantId = 'tenant'): Promise<string> {
    const address = `127.0.0.1:${runner.grpcPort}`;
    const channel = createGrpcChannel({ address, token: new Secret(otherToken) });
    try {
      const options = { deadline: Date.now() + 30_000 };
      const { problem, loading } = await channel.unary(
        RunnerServiceService.compile,
        { code, tenantId },
        options,
      );
      expect(problem).to.equal(undefined);
      const outcome = loading?.outcome;
      return outcome?.$case === 'problem' ? outcome.value : (outcome?.$case ?? 'nothing');
    } finally {
      channel.close();
    }
  }

  it('finds nothing wrong with a module that exports a function, whatever that would do', async () => {
    for (const code of [
      good,
      "const { createHash } = require('crypto'); module.exports = () => createHash('sha256');",
      'module.exports = async () => { throw new Error("when it is run"); };',
      'setInterval(() => {}, 1); Promise.reject(new Error("later")); module.exports = () => 1;',
    ]) {
      expect(await load(code), code).to.equal('loaded');
    }
  });

  const failing: readonly (readonly [what: string, code: string, problem: RegExp])[] = [
    ['exports nothing', '// nothing', /^module\.exports must be a function$/],
    ['exports something else', 'module.exports = { handler() {} };', /^module\.exports must be a function$/],
    [
      'is a placeholder',
      'return raw;',
      /^fails as it loads: ReferenceError: raw is not defined \(main\.js:1:1\)$/,
    ],
    [
      'requires what does not exist',
      "\nconst a = require('no-such-package');",
      /^fails as it loads: Error: Cannot find module 'no-such-package'.* \(main\.js:2:11\)$/s,
    ],
    [
      'throws',
      "throw new TypeError('at the top');",
      /^fails as it loads: TypeError: at the top \(main\.js:1:7\)$/,
    ],
    ['does not end', endless, /^fails as it loads: The code did not finish within its time limit\.$/],
    [
      'takes all memory',
      "const all = []; for (;;) all.push(new Array(1e6).fill('x'));",
      /^fails as it loads: The code (used more|did not finish|ended)/,
    ],
  ];
  for (const [what, code, problem] of failing) {
    it(`says so of code that ${what}`, async () => {
      expect(await load(code)).to.match(problem);
      expect(await load(good)).to.equal('loaded');
    });
  }

  it('lets the code reach nothing', async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const dial = `require('http').get('http://127.0.0.1:${port}').on('error', () => {})`;
    expect(await load(`${dial}; for (let i = 0; i < 1e7; i += 1); module.exports = () => 1;`)).to.equal(
      'loaded',
    );
    // The same code that is run does reach it, so that the address is right.
    await runner
      .run(`module.exports = () => new Promise((done) => ${dial}.on('close', done).on('error', done));`)
      .catch(() => undefined);
    await until('it was reached', () => Promise.resolve(connections > 0));
    expect(connections).to.equal(1);
    server.close();
  });

  it('has a process that no other tenant’s code has been in', async () => {
    const before = new Set(runner.workers());
    await load(good, 'first');
    const own = runner.workers().filter((pid) => !before.has(pid));
    expect(own.filter(isRunning)).to.not.have.length(0);
    await load(good, 'second');
    expect(own.filter(isRunning)).to.have.length(0);
  });

  it('does not delay other runs', async () => {
    const traffic = startSteadyTraffic(runner, 'neighbour');
    await load(endless, 'busy');
    expect((await traffic.stop()).calls).to.be.greaterThan(0);
  });
});

describe('tenants whose code is loaded', () => {
  const options = { limits, loadMs, waitMs: 120_000, isReady: () => true };
  const far = () => Date.now() + 120_000;

  it('take turns', async () => {
    await using loader = new Loader(options);
    const order: string[] = [];
    const load = async (code: string, tenant: string) => {
      const outcome = await loader.load(code, tenant, far());
      order.push(`${tenant}: ${outcome?.kind}`);
    };
    await Promise.all([...Array.from({ length: 3 }, () => load(endless, 'busy')), load(good, 'other')]);
    expect(order).to.deep.equal(['busy: timeout', 'other: returned', 'busy: timeout', 'busy: timeout']);
  });

  it('have only so much of it tried at a time, and hear in good time that there was no turn', async () => {
    await using loader = new Loader({ ...options, waitMs: 1 });
    const started = loader.load(good, 'one', far());
    const many = Array.from({ length: 30 }, () => loader.load(good, 'one', far()));
    expect(new Set(await Promise.all([started, ...many]))).to.deep.equal(new Set([undefined]));
    await using patient = new Loader(options);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => patient.load(good, 'one', far())));
    expect(outcomes.filter((outcome) => outcome?.kind === 'returned')).to.have.length(20);
    expect(outcomes.filter((outcome) => outcome === undefined)).to.have.length(10);
  });
});
