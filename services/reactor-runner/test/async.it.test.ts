import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import type { OnAttemptStep } from '../src/async/perform-job.ts';
import { failureOf } from './expect-failure.ts';
import { Publisher } from './published.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { type SealingVault, startSealingVault } from './vault.ts';

const tenant = randomUUID();

describe('asynchronous invocations', () => {
  let publisher: Publisher;
  let vault: SealingVault;
  let runner: TestRunner;
  let apiKey: string;
  /** What happens at a step of an invocation. */
  let onStep: OnAttemptStep = () => undefined;
  before(async () => {
    publisher = await Publisher.start();
    vault = await startSealingVault('token-of-the-runner');
    runner = await start();
    apiKey = await publisher.application(tenant, ['token:use']);
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });

  const start = (more: Parameters<typeof startTestRunner>[0] = {}) =>
    startTestRunner({
      redis: publisher.connection,
      vaultAddress: vault.address,
      onStep: (...step) => onStep(...step),
      ...more,
    });
  const accept = (reactorId: string, args: unknown = {}, key = apiKey, by = runner) =>
    by.reactAsync({ reactorId, apiKey: key, body: Buffer.from(JSON.stringify({ args })) });
  const resultOf = (reactorId: string, requestId: string, key = apiKey) =>
    runner.result({ reactorId, requestId, apiKey: key });
  /** The result, once there is one. */
  const settled = async (reactorId: string, requestId: string, key = apiKey): Promise<unknown> => {
    let answer: unknown;
    await until('there is a result', async () => {
      answer = await resultOf(reactorId, requestId, key).catch((error: unknown) => error);
      return !(answer instanceof AppError && answer.code === 'not_found');
    });
    return answer;
  };

  it('give the answer that the invocation would have been given at once', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = ({ args }) => ({ raw: args })');
    const args = { text: 'ä€', list: [1, { a: null }] };
    expect(await settled(id, await accept(id, args))).to.deep.equal({ raw: args });
  });

  it('give the error that the code threw to answer with, and any other as a 500 with its message', async () => {
    const known = await publisher.reactor(
      tenant,
      `module.exports = () => { throw Object.assign(new Error('no'), { name: 'RateLimitError', status: 429, errors: {} }) }`,
    );
    const answer = await settled(known, await accept(known));
    expect(answer).to.be.instanceOf(Error).and.to.have.property('message', 'the reply is refused');
    const other = await publisher.reactor(tenant, `module.exports = () => { throw new TypeError('x') }`);
    const failure = (await settled(other, await accept(other))) as AppError;
    expect(failure).to.include({ code: 'internal', message: 'Reactor Runtime Error' });
    expect(failure.errors['error']?.[0]).to.match(/^TypeError: x/);
  });

  it('are refused at once for what is wrong with them', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = () => ({})', {
      requestParameters: [{ name: 'n', type: 'number', optional: false }],
    });
    const codeOf = async (work: Promise<unknown>) => (await failureOf(work)).code;
    expect(await codeOf(accept(id, { n: 'x' }))).to.equal('invalid_argument');
    expect(await codeOf(accept(randomUUID()))).to.equal('not_found');
    expect(await codeOf(accept(id, { n: 1 }, 'key_unknown'))).to.equal('unauthenticated');
    const reader = await publisher.application(tenant, ['token:read']);
    expect(await codeOf(accept(id, { n: 1 }, reader))).to.equal('permission_denied');
    const stranger = await publisher.application(randomUUID(), ['token:use']);
    expect(await codeOf(accept(id, { n: 1 }, stranger))).to.equal('not_found');
  });

  it('have no result for another tenant, reactor or id, nor without token:use', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = () => ({ raw: 1 })');
    const other = await publisher.reactor(tenant, 'module.exports = () => ({ raw: 2 })');
    const foreignTenant = randomUUID();
    const foreign = await publisher.reactor(foreignTenant, 'module.exports = () => ({ raw: 3 })');
    const foreignKey = await publisher.application(foreignTenant, ['token:use']);
    const request = await accept(id);
    await settled(id, request);
    const codeOf = async (...wanted: Parameters<typeof resultOf>) =>
      (await failureOf(resultOf(...wanted))).code;
    expect(await codeOf(other, request)).to.equal('not_found');
    expect(await codeOf(id, randomUUID())).to.equal('not_found');
    expect(await codeOf(id, request, foreignKey)).to.equal('not_found');
    expect(await codeOf(foreign, request, foreignKey)).to.equal('not_found');
    expect(await codeOf(id, request, 'key_unknown')).to.equal('unauthenticated');
    const reader = await publisher.application(tenant, ['token:read']);
    expect(await codeOf(id, request, reader)).to.equal('permission_denied');
    await publisher.withdraw(id);
    await until('it is gone', async () => (await codeOf(id, request)) === 'not_found');
  });

  it('have their arguments, results and keys sealed as what they are of', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = ({ args }) => ({ raw: args })');
    vault.places.length = 0;
    const request = await accept(id, { text: 'x' });
    await settled(id, request);
    const place = (part: string) => ({ tenantId: tenant, recordId: id, field: `job.${request}.${part}` });
    // What earlier code said may be sealed still.
    const sealed = vault.places.filter(({ recordId, field }) => recordId === id && !field.startsWith('log.'));
    expect(sealed).to.deep.equal([place('arguments'), place('result')]);
  });

  it('leave nothing in the queue once there is a result, and keep that for its time', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = () => ({ raw: 1 })');
    const request = await accept(id);
    await settled(id, request);
    const job = `${publisher.prefix}:bull:reactor-invocations:${request}`;
    await until('the queue is empty', async () => (await publisher.lifeOf(job)) === undefined);
    const life = await publisher.lifeOf(`${publisher.prefix}:async:request:${request}`);
    expect(life).to.be.within(1, 60_000);
  });

  it('wait while the vault is away, and are performed once it is back', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = () => ({ raw: "late" })');
    vault.openFailure = new AppError('unavailable', 'away');
    const request = await accept(id);
    await until('it was tried', () => vault.openRefused > 0);
    expect((await failureOf(resultOf(id, request))).code).to.equal('not_found');
    vault.openFailure = undefined;
    expect(await settled(id, request)).to.deep.equal({ raw: 'late' });
  });

  it('keep a result until the vault seals it, and do not run the code again', async () => {
    const id = await publisher.reactor(tenant, counting);
    const gate = Promise.withResolvers<void>();
    const held = await start({
      async: { lockMs: 10_000 },
      onStep: (step) => (step === 'ran' ? gate.promise : undefined),
    });
    try {
      await runner[Symbol.asyncDispose]();
      const request = await accept(id, {}, apiKey, held);
      vault.failure = new AppError('unavailable', 'away');
      gate.resolve();
      await until('sealing was refused', () =>
        held.log.some((line) => line.includes('could not be stored yet')),
      );
      vault.failure = undefined;
      runner = await start();
      expect(await settled(id, request)).to.deep.equal({ raw: 1 });
    } finally {
      await held[Symbol.asyncDispose]();
    }
  });

  it('of one tenant are under way in a bounded number, and do not hold up those of another', async () => {
    const busy = randomUUID();
    const key = await publisher.application(busy, ['token:use']);
    const slow = await publisher.reactor(busy, 'module.exports = () => ({ raw: "slow" })');
    const quick = await publisher.reactor(tenant, 'module.exports = () => ({ raw: "quick" })');
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const requests: string[] = [];
    onStep = (step, requestId) => {
      if (step !== 'begun' || begun.length === 4) return undefined;
      begun.push(requestId);
      return gate.promise;
    };
    for (let n = 0; n < 10; n += 1) requests.push(await accept(slow, {}, key));
    await until('the tenant has its share', () => begun.length === 4);
    expect(await settled(quick, await accept(quick))).to.deep.equal({ raw: 'quick' });
    for (const request of requests) {
      expect((await failureOf(resultOf(slow, request, key))).code).to.equal('not_found');
    }
    gate.resolve();
    for (const request of requests) {
      expect(await settled(slow, request, key)).to.deep.equal({ raw: 'slow' });
    }
  });

  it('end with their runner when that gets SIGTERM, say so, and are not run again', async () => {
    const id = await publisher.reactor(
      tenant,
      'module.exports = () => new Promise(() => setTimeout(() => {}, 60000))',
    );
    const waiting = await publisher.reactor(tenant, 'module.exports = () => ({ raw: "by another" })');
    await runner[Symbol.asyncDispose]();
    const stopping = await start({ async: { atOnce: 1, wallMs: 60_000 }, shutdownTimeoutMs: 200 });
    const request = await accept(id, {}, apiKey, stopping);
    await until('its code has begun', async () =>
      /async_wait_seconds_count\{[^}]*\} 1/.test(await metricsOf(stopping)),
    );
    const next = await accept(waiting, {}, apiKey, stopping);
    await stopping[Symbol.asyncDispose]();
    runner = await start();
    const failure = (await settled(id, request)) as AppError;
    expect(failure.errors['error']?.[0]).to.match(/was interrupted/);
    expect(await settled(waiting, next)).to.deep.equal({ raw: 'by another' });
  });

  it('count how many wait, for how long, and how they ended', async () => {
    const text = await metricsOf(runner);
    expect(text).to.match(/glovebox_runner_async_open\{[^}]*\} \d/);
    expect(text).to.match(/glovebox_runner_async_oldest_seconds\{[^}]*\} \d/);
    expect(text).to.match(/glovebox_runner_async_attempts_total\{outcome="answered"[^}]*\} [1-9]/);
    expect(text).to.match(/glovebox_runner_async_wait_seconds_count\{[^}]*\} [1-9]/);
  });
});

const metricsOf = async ({ metricsPort }: TestRunner) =>
  (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

/** Answers how often it ran in its isolate. */
const counting = 'let runs = 0; module.exports = () => ({ raw: ++runs });';
