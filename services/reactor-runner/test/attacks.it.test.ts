import type { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { residentMb } from '../src/worker-process/process-usage.ts';
import { type Attack, type InvocationEnd, readAttacks } from './attack.ts';
import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { startSteadyTraffic } from './steady-traffic.ts';
import { until } from './until.ts';
import { workersBy } from './worker-of.ts';

const endings: Readonly<Record<InvocationEnd, RegExp>> = {
  timeout: /^The code did not finish within its time limit of [\d.]+ (?:ms|seconds?)\.$/,
  memory: /^The code used more memory than it may, which is \d+ MiB\.$/,
  crashed: /^The process that ran the code ended unexpectedly\.$/,
};

/** Names of what is not as an isolate begins with it. */
const looksAround = `module.exports = () => {
  const isNative = (f) => Function.prototype.toString.call(f).includes('[native code]');
  const places = [Object, Array, Function, String, Promise, Map, RegExp, Reflect, JSON, Symbol];
  const strange = ['stolen', 'polluted', 'shared'].filter((name) => name in globalThis || name in {});
  for (const place of places) {
    for (const holder of [place, place.prototype ?? {}]) {
      for (const name of Reflect.ownKeys(holder)) {
        const { value } = Reflect.getOwnPropertyDescriptor(holder, name);
        if (typeof value === 'function' && !isNative(value)) strange.push(String(name));
      }
    }
  }
  return strange;
};`;

const attacks = await readAttacks();
const isEnded = ({ expectation }: Attack) => 'ends' in expectation;
const groups = [
  // Short, since much of this lasts until it is over.
  { name: 'code that does not end', wallMs: 500, members: attacks.filter(isEnded) },
  { name: 'code that looks for a way out', wallMs: 5000, members: attacks.filter((one) => !isEnded(one)) },
];

describe('the attacks', () => {
  it('are many, each with a name of its own', () => {
    expect(attacks.length).to.be.at.least(80);
    expect(new Set(attacks.map(({ name }) => name)).size).to.equal(attacks.length);
  });
});

for (const { name: group, wallMs, members } of groups) {
  describe(group, function () {
    this.timeout(30_000);
    let runner: TestRunner;
    before(async () => {
      runner = await startTestRunner({ workers: 2, limits: { wallMs }, egress: { profile: 'strict' } });
      await runner.run(looksAround, {}, { tenant: 'neighbour' });
    });
    after(() => runner[Symbol.asyncDispose]());

    for (const attack of members) {
      it(`is contained: it ${attack.name}`, async () => {
        const neighbour = startSteadyTraffic(runner, 'neighbour');
        const startedAt = performance.now();
        await expectItsEnd(runner, attack);
        const tookMs = performance.now() - startedAt;
        await until('the attacker is served again', () => isWell(runner, 'attacker'));
        const neighbourIsWell = await isWell(runner, 'neighbour');
        await until('the neighbour was served', () => neighbour.calls > 1);
        const { slowestMs } = await neighbour.stop();
        expect(neighbourIsWell).to.equal(true);
        // On a machine that is busy with other things everybody waits, as the neighbour then shows.
        expect(tookMs).to.be.lessThan(wallMs + 1000 + 10 * slowestMs);
      });
    }

    it('leaves no process and no memory behind', async () => {
      await until('only the workers that there should be are there', async () => {
        const [serving, spare] = await Promise.all(
          (['serving', 'spare'] as const).map((state) => workersBy(runner, state)),
        );
        // One more than there are workers runs code that must run alone.
        return spare === 1 && (serving as number) <= 3 && runner.workers().length === (serving as number) + 1;
      });
      for (const pid of runner.workers()) expect(residentMb(pid)).to.be.lessThan(400);
    });
  });
}

/** Whether a tenant's other code is served, and finds nothing strange. */
async function isWell(runner: TestRunner, tenant: string): Promise<boolean> {
  const strange = await runner.run(looksAround, {}, { tenant }).catch(messagesOf);
  // It may be that a machine busy with other things has left it no time to start.
  if (typeof strange === 'string' && endings.timeout.test(strange)) return false;
  expect(strange).to.deep.equal([]);
  return true;
}

async function expectItsEnd(runner: TestRunner, { code, argument, expectation }: Attack): Promise<void> {
  const call = runner.run(code, argument, { tenant: 'attacker' });
  if ('returns' in expectation) {
    expect(await call.catch(messagesOf)).to.deep.equal(expectation.returns);
    return;
  }
  const error = await failureOf(call);
  expect(error.code).to.be.oneOf(['internal', 'unprocessable']);
  const isEnding =
    'ends' in expectation && expectation.ends.some((ending) => endings[ending].test(messagesOf(error)));
  if (!isEnding) expect(messagesOf(error)).to.match(expectation.fails ?? /^it should have been ended$/);
}

/** What the caller of the code reads. */
function messagesOf({ errors }: AppError): string {
  return Object.values(errors).flat().join();
}
