import { randomUUID } from 'node:crypto';

import { AppError } from '@glovebox/platform/errors/app-error';
import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { RunnerServiceService, TransformSide } from '@glovebox/protos/runner/v1/runner';
import { expect } from 'chai';

import { expectSoon } from '../../../test/harness/expect-soon.ts';
import { type ToldInvocation, gatewayToken, otherToken } from './connection.ts';
import { failureOf } from './expect-failure.ts';
import { Publisher } from './published.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { type SealingVault, startSealingVault } from './vault.ts';

const tenant = randomUUID();
const canary = 'canary-91f2';
const readsAll = [{ permissions: ['token:read'] }];

describe('what code logs, and how it fails', () => {
  let publisher: Publisher;
  let vault: SealingVault;
  let runner: TestRunner;
  let apiKey: string;
  before(async () => {
    publisher = await Publisher.start();
    vault = await startSealingVault('token-of-the-runner');
    runner = await startTestRunner({
      redis: publisher.connection,
      vaultAddress: vault.address,
      invocationLog: { perOwner: 5, retentionMs: 60_000 },
      limits: { wallMs: 2000, isolateMemoryMb: 32, logLength: 1000 },
    });
    apiKey = await publisher.application(tenant, ['token:use'], readsAll);
  });
  after(async () => {
    await runner[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });

  const react = (reactorId: string, args: unknown = {}) =>
    runner.react({ reactorId, apiKey, body: Buffer.from(JSON.stringify({ args })) });
  const listOf = (reactorId: string, key = apiKey, size = 100) =>
    runner.invocations({ owner: { $case: 'reactorId', value: reactorId }, apiKey: key, size });
  const told = async (reactorId: string, count: number): Promise<ToldInvocation[]> => {
    await until(`there are ${count} invocations`, async () => (await listOf(reactorId)).length === count);
    return listOf(reactorId);
  };
  /** The record of one run of this code, whatever comes of it. */
  const runOf = async (code: string): Promise<ToldInvocation> => {
    const id = await publisher.reactor(tenant, code);
    await react(id).catch(() => undefined);
    const [invocation] = await told(id, 1);
    return invocation as ToldInvocation;
  };

  it('is shown to its tenant, line by line, with when and for which request', async () => {
    const before = Date.now();
    const invocation = await runOf(`module.exports = async (req) => {
      console.log('first %s', ${JSON.stringify(canary)}, { a: [1] });
      console.error(new Error('shown'));
      process.stdout.write('second');
      process.stderr.write('third\\nfourth\\n');
      await new Promise((resolve) => setTimeout(resolve, 5));
      console.table([{ a: 1 }]);
      return {};
    };`);
    expect(invocation).to.include({ outcome: 'returned', correlation_id: 'correlation-1' });
    expect(invocation).not.to.have.any.keys('side', 'error');
    const after = Date.now();
    expect(invocation.duration_ms).to.be.within(5, after - before + 1);
    expect(Date.parse(invocation.started_at)).to.be.within(before - 5, after);
    const [first, error, second, third, table] = invocation.log;
    expect(first).to.include({ level: 'info', text: `first ${canary} { a: [ 1 ] }` });
    expect(error?.level).to.equal('error');
    expect(error?.text).to.match(/^Error: shown\n {4}at module\.exports \(main\.js:3:\d+\)$/);
    expect(second).to.include({ level: 'info', text: 'second' });
    expect(third).to.include({ level: 'error', text: 'third\nfourth' });
    expect(table?.text).to.contain('┌');
    for (const { time } of invocation.log) expect(Date.parse(time)).to.be.within(before, after);
  });

  it('records warnings too, as Node.js writes them to standard error', async () => {
    const { log } = await runOf(`module.exports = async () => {
      process.emitWarning('first');
      process.emitWarning('old', 'DeprecationWarning', 'DEP9999');
      console.timeEnd('unknown');
      await new Promise((resolve) => setImmediate(resolve));
      return {};
    };`);
    const [first, ...others] = log.map(({ level, text }) => [level, text]);
    expect(first?.[1]).to.match(/^\(node:1\) Warning: first\n/);
    expect(others).to.deep.equal([
      ['error', '(node:1) [DEP9999] DeprecationWarning: old'],
      ['error', "(node:1) Warning: No such label 'unknown' for console.timeEnd()"],
    ]);
  });

  it('never reaches the log of the service', () => {
    expect(runner.log.join('')).not.to.contain(canary).and.not.to.contain('shown');
  });

  const failures: [what: string, code: string, outcome: string, error: object][] = [
    [
      'throws',
      'function inner() {\n  throw new TypeError("no");\n}\nmodule.exports = () => inner();',
      'threw',
      {
        name: 'TypeError',
        message: 'no',
        stack: ['inner (main.js:2:9)', 'module.exports (main.js:4:24)'],
      },
    ],
    ['throws text', 'module.exports = () => { throw "text"; };', 'threw', { message: 'text' }],
    [
      'throws within the library',
      'module.exports = () => Buffer.alloc(-1);',
      'threw',
      {
        name: 'RangeError',
        message: "The argument 'size' is invalid. Received -1",
        stack: ['module.exports (main.js:1:31)'],
      },
    ],
    [
      'throws in a timer',
      'module.exports = () => new Promise(() => setTimeout(() => { throw new Error("late"); }, 1));',
      'threw',
      { name: 'Error', message: 'late', stack: ['Timeout._onTimeout (main.js:1:67)'] },
    ],
    [
      'loops',
      'module.exports = () => { for (;;); };',
      'timeout',
      { message: 'The code did not finish within its time limit of 2 seconds.' },
    ],
    [
      'takes too much memory',
      'module.exports = () => { const all = []; for (;;) all.push(new Array(10_000).fill(1.5)); };',
      'memory',
      { message: 'The code used more memory than it may, which is 32 MiB.' },
    ],
    [
      'exports no function',
      'module.exports = 5;',
      'not_a_function',
      { message: 'module.exports must be a function' },
    ],
    [
      'does not parse',
      'module.exports = (',
      'not_a_function',
      { message: 'SyntaxError: Unexpected end of input (main.js:1:19)' },
    ],
    [
      'returns too much',
      'module.exports = () => "x".repeat(1_000_001);',
      'result_too_large',
      { message: 'The result of the code is too large.' },
    ],
    [
      'returns what nothing can be done with',
      'module.exports = () => ["raw"];',
      'unusable_result',
      { message: 'The code must return an object with raw or tokenize; it returned an array.' },
    ],
  ];
  for (const [what, code, outcome, error] of failures) {
    it(`is recorded when the code ${what}, with the user's own places and nothing of ours`, async () => {
      const invocation = await runOf(code);
      expect(invocation.outcome).to.equal(outcome);
      expect(invocation.error).to.deep.equal(error);
      expect(invocation.log).to.deep.equal([]);
    });
  }

  it('holds what was logged before the code went wrong, and while it was loaded', async () => {
    const loops = await runOf(`console.log('loading');
      module.exports = () => { console.log('running'); for (;;); };`);
    expect(loops.outcome).to.equal('timeout');
    expect(loops.log.map(({ text }) => text)).to.deep.equal(['loading', 'running']);
  });

  it('contains no run that succeeded without logging, and no run twice', async () => {
    const code = `module.exports = ({ args }) => { if (args.say) console.log(args.say); return {}; };`;
    const id = await publisher.reactor(tenant, code);
    for (const say of [undefined, 'a', undefined, 'b', undefined]) await react(id, { say });
    const invocations = await told(id, 2);
    expect(invocations.map(({ log }) => log.map(({ text }) => text))).to.deep.equal([['b'], ['a']]);
  });

  it('is cut at its limit, and the code goes on', async () => {
    const id = await publisher.reactor(
      tenant,
      `module.exports = () => { for (let i = 0; i < 50; i += 1) console.log('x'.repeat(99)); return { raw: 1 }; };`,
    );
    expect(await react(id)).to.deep.equal({ raw: 1 });
    const [invocation] = await told(id, 1);
    expect(invocation?.log).to.have.length(11);
    expect(invocation?.log.at(-1)?.text).to.match(/^4000 more characters were cut/);
  });

  it('is kept of the latest only, newest first, as many as are wanted', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = ({ args }) => { console.log(args.n); };');
    for (let n = 0; n < 8; n += 1) await react(id, { n });
    await until('the last is there', async () => (await listOf(id))[0]?.log[0]?.text === '7');
    const textsOf = (invocations: ToldInvocation[]) => invocations.map(({ log }) => log[0]?.text);
    expect(textsOf(await listOf(id))).to.deep.equal(['7', '6', '5', '4', '3']);
    expect(textsOf(await listOf(id, apiKey, 2))).to.deep.equal(['7', '6']);
  });

  it('is recorded of both sides of a proxy', async () => {
    const { id, proxyKeyHash } = await publisher.proxy(tenant, {
      requestTransformCode: 'module.exports = () => { console.log("of the request"); return { body: 1 }; };',
      responseTransformCode: 'module.exports = () => { throw new Error("of the response"); };',
    });
    const call = { proxyKeyHash, proxyVersion: 1, args: Buffer.from('{}'), anonymous: false };
    await runner.transform({ ...call, side: TransformSide.TRANSFORM_SIDE_REQUEST });
    await failureOf(runner.transform({ ...call, side: TransformSide.TRANSFORM_SIDE_RESPONSE }));
    const list = (key = apiKey) =>
      runner.invocations({ owner: { $case: 'proxyId', value: id }, apiKey: key, size: 20 });
    await until('both are there', async () => (await list()).length === 2);
    expect((await list()).map(({ side, outcome }) => [side, outcome])).to.have.deep.members([
      ['request', 'returned'],
      ['response', 'threw'],
    ]);
    const stranger = await publisher.application(randomUUID(), [], readsAll);
    expect((await failureOf(list(stranger))).code).to.equal('not_found');
  });

  it('is recorded of transforms that returned neither a body nor headers, and logged nothing', async () => {
    const { id, proxyKeyHash } = await publisher.proxy(tenant, {
      requestTransformCode: 'module.exports = ({ args }) => args.result;',
      responseTransformCode: 'module.exports = () => ({ status: 200 });',
    });
    const run = (side: TransformSide, result: unknown = null) =>
      runner.transform({
        proxyKeyHash,
        anonymous: false,
        proxyVersion: 1,
        side,
        args: Buffer.from(JSON.stringify({ result })),
      });
    await run(TransformSide.TRANSFORM_SIDE_REQUEST, { body: {}, headers: {} });
    await run(TransformSide.TRANSFORM_SIDE_REQUEST);
    await run(TransformSide.TRANSFORM_SIDE_RESPONSE);
    const list = () => runner.invocations({ owner: { $case: 'proxyId', value: id }, apiKey, size: 20 });
    await until('both are there', async () => (await list()).length === 2);
    const said = (side: string, what: string) => ({
      message: `The ${side} transform must return an object with body and headers; it returned ${what}.`,
    });
    expect((await list()).map(({ outcome, side, error, log }) => [outcome, side, error, log])).to.deep.equal([
      ['unusable_result', 'response', said('response', 'an object with neither of them'), []],
      ['unusable_result', 'request', said('request', 'null'), []],
    ]);
  });

  it('is shown only to callers who may read every token in plaintext', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = () => {};');
    const refusal = async (key: string, owner = id) => (await failureOf(listOf(owner, key))).code;
    const of = (rules: object[]) => publisher.application(tenant, ['token:use', 'token:read'], rules);
    expect(await listOf(id)).to.deep.equal([]);
    expect(await refusal('')).to.equal('unauthenticated');
    expect(await refusal('key_1111111111111111111111')).to.equal('unauthenticated');
    expect(await refusal(await of([]))).to.equal('permission_denied');
    expect(await refusal(await of([{ ...readsAll[0], transform: 'mask' }]))).to.equal('permission_denied');
    expect(await refusal(await of([{ ...readsAll[0], container: '/pci/' }]))).to.equal('permission_denied');
    expect(await refusal(await publisher.application(randomUUID(), [], readsAll))).to.equal('not_found');
    for (const owner of [randomUUID(), '', '*']) expect(await refusal(apiKey, owner)).to.equal('not_found');
  });

  it('is sealed for its tenant, owner and invocation alone', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = () => { console.log(1); };');
    await react(id);
    const [invocation] = await told(id, 1);
    expect(vault.places.at(-1)).to.deep.equal({
      tenantId: tenant,
      recordId: id,
      field: `log.${invocation?.id}`,
    });
  });

  it('is lost, and nothing else, while the vault is away; that is counted', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = ({ args }) => { console.log(args.n); };');
    vault.failure = new AppError('unavailable', 'away');
    await expectSoon({ atMost: 500 }, async () => expect(await react(id, { n: 1 })).to.deep.equal({}));
    const metrics = `http://127.0.0.1:${runner.metricsPort}/metrics`;
    await until('it is counted', async () =>
      /journal_invocations_total\{result="unsealed".*\} [1-9]/.test(await (await fetch(metrics)).text()),
    );
    vault.failure = undefined;
    await react(id, { n: 2 });
    expect((await told(id, 1))[0]?.log[0]?.text).to.equal('2');
  });

  it('of a flood, the newest of each owner are kept, and no answer waits', async () => {
    const id = await publisher.reactor(tenant, 'module.exports = ({ args }) => { console.log(args.n); };');
    const quiet = await publisher.reactor(tenant, 'module.exports = () => { console.log("quiet"); };');
    for (const known of [id, quiet]) await react(known);
    const flood = Promise.all(Array.from({ length: 500 }, (_, n) => react(id, { n })));
    await react(quiet);
    await flood;
    expect((await told(quiet, 2))[0]?.log[0]?.text).to.equal('quiet');
    await until('the newest are there', async () => (await listOf(id)).length === 5);
  });

  it('is given to control-api alone, of one request of the tenant that it names, 60 times in an hour', async () => {
    const own = randomUUID();
    const code = `module.exports = async () => { console.log('${canary}'); return {}; };`;
    const key = await publisher.application(own, ['token:use'], readsAll);
    const reactorId = await publisher.reactor(own, code);
    await runner.react({ reactorId, apiKey: key, body: Buffer.from('{"args":{}}') });
    await until('it is logged', async () => (await listOf(reactorId, key)).length === 1);
    const read = async (tenantId: string, traceId: string, token = otherToken) => {
      const channel = createGrpcChannel({
        address: `127.0.0.1:${runner.grpcPort}`,
        token: new Secret(token),
      });
      try {
        const request = { tenantId, ownerId: reactorId, traceId };
        const options = { deadline: Date.now() + 10_000 };
        const { json } = await channel.unary(RunnerServiceService.readInvocationLog, request, options);
        return JSON.parse(json.toString()) as ToldInvocation[];
      } finally {
        channel.close();
      }
    };
    const [shown] = await read(own, 'correlation-1');
    expect(shown?.log[0]?.text).to.equal(canary);
    expect(await read(own, 'correlation-2')).to.deep.equal([]);
    expect((await failureOf(read(tenant, 'correlation-1'))).code).to.equal('not_found');
    const stranger = await failureOf(read(own, 'correlation-1', gatewayToken));
    expect(stranger.code).to.be.oneOf(['permission_denied', 'internal']);
    for (let n = 2; n < 60; n += 1) await read(own, 'correlation-2');
    expect((await failureOf(read(own, 'correlation-1'))).code).to.equal('rate_limited');
  });
});
