import { expect } from 'chai';

import { expectSoon } from '../../../test/harness/expect-soon.ts';
import { type ReadinessCheck, startInternalServer } from '../src/http/internal-server.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';

describe('the internal port', () => {
  const start = async (readiness: Record<string, ReadinessCheck>, metrics = createMetrics('test')) => {
    const server = await startInternalServer({ host: '127.0.0.1', port: 0, metrics, readiness });
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    return { get, metrics, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  };
  const ready = async ({ get }: Awaited<ReturnType<typeof start>>) =>
    (await get('/metrics')).text.match(/^glovebox_ready\{.*$/gm);

  it('tells by a metric what a process that is not ready misses', async () => {
    let reason: string | undefined = 'no answer';
    await using server = await start({ postgres: () => reason, vault: () => undefined });
    const of = (postgres: number) => [
      `glovebox_ready{check="postgres",service="test"} ${postgres}`,
      'glovebox_ready{check="vault",service="test"} 1',
    ];
    expect(await ready(server)).to.deep.equal(of(0));
    reason = undefined;
    expect(await ready(server)).to.deep.equal(of(1));
  });

  it('has the checks of the last one that was started in a process', async () => {
    await using before = await start({ keys: () => 'it is under way' });
    await using after = await start({ redis: () => undefined }, before.metrics);
    expect(await ready(after)).to.deep.equal(['glovebox_ready{check="redis",service="test"} 1']);
  });

  it('answers in time although a check does not, and says so', async () => {
    const never = () => new Promise<undefined>(() => undefined);
    await using server = await start({ a: never, b: never, c: () => 'x' });
    const late = 'no answer in time';
    await expectSoon({ atMost: 2900 }, async () => {
      const { status, text } = await server.get('/readyz');
      expect(status).to.equal(503);
      expect(JSON.parse(text)).to.deep.equal({ status: 'not ready', reasons: { a: late, b: late, c: 'x' } });
    });
  });

  it('counts a check that fails as one that is not met, and does not say how it failed', async () => {
    await using server = await start({ a: () => Promise.reject(new Error('secret')) });
    const { text } = await server.get('/readyz');
    expect(text).to.contain('the check itself failed').and.not.to.contain('secret');
  });
});
