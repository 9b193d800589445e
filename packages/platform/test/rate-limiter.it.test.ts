import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { expect } from 'chai';

import { RateLimiter } from '../src/db/rate-limiter.ts';
import { type Redis, createRedis } from '../src/db/redis.ts';
import { Secret } from '../src/values/secret.ts';

const run = promisify(execFile);
const processFile = fileURLToPath(new URL('rate-limiter-process.ts', import.meta.url));

/** On a real Redis. */
describe('a rate limit', () => {
  let server: RunningRedis;
  let redis: Redis;
  let prefix: string;
  let now: number;

  const connect = (url: string) =>
    createRedis({
      url: new Secret(url),
      connectionName: 'test',
      commandTimeoutMs: 1000,
      onError: () => undefined,
    });

  before(async () => {
    server = await startRedis({ redisUrl: process.env['REDIS_URL'], ephemeral: true });
    redis = connect(server.url);
    await new Promise((resolve) => redis.once('ready', resolve));
  });
  beforeEach(() => {
    prefix = `test:${randomUUID()}`;
    now = Date.now();
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });

  const limiterOf = (points: number, more: { maxKeys?: number; windowMs?: number; redis?: Redis } = {}) =>
    new RateLimiter({ redis, prefix, points, windowMs: 60_000, clock: () => now, ...more });
  const admit = async (limiter: RateLimiter, attempts: number, key = 'key') => {
    let admitted = 0;
    for (let n = 0; n < attempts; n += 1) if ((await limiter.take(key)) === undefined) admitted += 1;
    return admitted;
  };

  it('admits exactly as many as it says, of each key, and then says when to come again', async () => {
    for (const points of [1, 2, 16, 17, 100, 1000]) {
      prefix = `test:${randomUUID()}`;
      const limiter = limiterOf(points);
      expect(await admit(limiter, points + 50)).to.equal(points);
      expect(await limiter.take('key')).to.be.within(1, 60_000);
      expect(await admit(limiter, 1, 'another')).to.equal(1);
    }
  });

  it('admits no more when all come at once', async () => {
    const limiter = limiterOf(100);
    const answers = await Promise.all(Array.from({ length: 500 }, async () => limiter.take('key')));
    expect(answers.filter((one) => one === undefined)).to.have.length(100);
  });

  it('is counted for all processes together', async () => {
    const processes = await Promise.all(
      [1, 2].map(() =>
        run(process.execPath, ['--conditions=source', processFile, server.url, prefix, '1000', '900']),
      ),
    );
    const admitted = processes.map(({ stdout }) => Number(stdout));
    const sum = admitted.reduce((one, two) => one + two, 0);
    // What one has taken ahead and not used, the other cannot have.
    expect(sum).to.be.within(1000 - 1000 / 16, 1000);
  });

  it('asks Redis seldom: not once in ten times while there is much left, and never after a refusal', async () => {
    const counted = async (work: () => Promise<unknown>) => {
      const calls = async () =>
        Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
      const before = await calls();
      await work();
      return (await calls()) - before;
    };
    const limiter = limiterOf(2000);
    expect(await counted(() => admit(limiter, 1000))).to.be.below(100);
    await admit(limiter, 1100);
    expect(await counted(() => admit(limiter, 1000))).to.equal(0);
  });

  it('admits again in the next window', async () => {
    const limiter = limiterOf(5, { windowMs: 1000 });
    expect(await admit(limiter, 10)).to.equal(5);
    const again = (await limiter.take('key')) ?? 0;
    expect(again).to.be.within(1, 1000);
    await new Promise((resolve) => setTimeout(resolve, again + 10));
    now = Date.now();
    expect(await admit(limiter, 10)).to.equal(5);
  });

  it('is each process’ own while Redis is away', async () => {
    const away = connect('redis://127.0.0.1:1');
    const [one, two] = [limiterOf(10, { redis: away }), limiterOf(10, { redis: away })];
    expect([await admit(one, 20), await admit(two, 20)]).to.deep.equal([10, 10]);
    away.disconnect();
  });

  it('holds no more keys than it may', async () => {
    const limiter = limiterOf(1, { maxKeys: 10 });
    for (let n = 0; n < 100; n += 1) expect(await limiter.take(String(n))).to.equal(undefined);
    expect(await limiter.take('0')).to.be.a('number');
  });
});
