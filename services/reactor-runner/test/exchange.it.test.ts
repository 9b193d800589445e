import { Client, credentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import { service as healthService } from 'grpc-health-check';

import { connect, otherToken } from './connection.ts';
import { failureOf } from './expect-failure.ts';
import { type TestRunner, startTestRunner } from './runner.ts';

const echo = 'module.exports = (req) => req;';

describe('the Exchange stream', () => {
  let runner: TestRunner;
  before(async () => {
    runner = await startTestRunner();
  });
  after(() => runner[Symbol.asyncDispose]());

  it('answers each of many calls that are made at once with its own result', async () => {
    const numbers = Array.from({ length: 900 }, (_, i) => i);
    const results = await Promise.all(numbers.map((n) => runner.run(echo, { n }, { tenant: `t${n % 2}` })));
    expect(results).to.deep.equal(numbers.map((n) => ({ n })));
  });

  it('answers quick calls while slow ones wait', async () => {
    const caller = new AbortController();
    const waits = 'module.exports = () => new Promise(() => {});';
    const slow = failureOf(runner.run(waits, {}, { signal: caller.signal }));
    expect(await runner.run(echo, 1)).to.equal(1);
    caller.abort();
    expect((await slow).code).to.equal('cancelled');
  });

  it('ends a run when the deadline of its call passes', async () => {
    const error = await failureOf(
      runner.run('module.exports = () => { for (;;); };', {}, { timeoutMs: 200 }),
    );
    expect(error.code).to.be.oneOf(['deadline_exceeded', 'internal']);
    expect(await runner.run(echo, 2)).to.equal(2);
  });

  it('goes on when the trace of a call is recorded', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(await runner.run(echo, 3, { traceparent })).to.equal(3);
  });

  it('carries arguments and results of any size up to the limits', async () => {
    for (const length of [0, 1, 65_536, 999_000]) {
      const text = 'é'.repeat(Math.floor(length / 2));
      expect(await runner.run(echo, text)).to.equal(text);
    }
  });

  it('is open to the gateway only', async () => {
    for (const token of [otherToken, 'unknown']) {
      await using stranger = connect(runner.grpcPort, token);
      expect((await failureOf(stranger.run(echo, {}, { timeoutMs: 2000 }))).code).to.be.oneOf([
        'unavailable',
        'deadline_exceeded',
      ]);
    }
  });

  it('is served beside a health check that needs no token', async () => {
    const client = new Client(`127.0.0.1:${runner.grpcPort}`, credentials.createInsecure());
    const check = healthService['Check'];
    if (check === undefined) throw new Error('there is no Check');
    const answer = await new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        check.path,
        check.requestSerialize,
        check.responseDeserialize,
        { service: 'runner.v1.RunnerService' },
        (error, value) => (error ? reject(error) : resolve(value)),
      );
    });
    client.close();
    expect(answer).to.deep.include({ status: 'SERVING' });
  });
});
