import { createHash, randomUUID } from 'node:crypto';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { type Redis, createRedis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { type Claim, Claims } from './claims.ts';

const silent = createLogger({ service: 'test', level: 'silent' });
const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** Claims of two gateways, on a real Redis. */
describe('claims of idempotency keys', () => {
  let server: RunningRedis;
  let redis: Redis;
  let scope: Buffer;
  const made: Claims[] = [];

  before(async () => {
    server = await startRedis({ redisUrl: process.env['REDIS_URL'], ephemeral: true });
    redis = createRedis({
      url: new Secret(server.url),
      connectionName: 'test',
      commandTimeoutMs: 1000,
      onError: () => undefined,
    });
    await new Promise((resolve) => redis.once('ready', resolve));
  });
  beforeEach(() => {
    scope = createHash('sha256').update(randomUUID()).digest();
  });
  afterEach(() => {
    for (const claims of made.splice(0)) claims[Symbol.dispose]();
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });

  const claimsOf = (more: { leaseMs?: number; retentionMs?: number; waitReplicas?: number } = {}) => {
    const claims = new Claims({
      redis,
      prefix: 'test',
      waitReplicas: 0,
      retentionMs: 60_000,
      logger: silent,
      ...more,
    });
    made.push(claims);
    return claims;
  };
  const taken = async (claims: Claims): Promise<Claim> => {
    const claim = await claims.take(scope);
    if (Buffer.isBuffer(claim)) throw new Error('it was answered before');
    return claim;
  };
  const refusal = async (claims: Claims): Promise<string> => {
    try {
      await claims.take(scope);
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return error.message;
      throw error;
    }
    return 'taken';
  };

  it('are taken by one, and give its answer to every other', async () => {
    const [one, two] = [claimsOf(), claimsOf()];
    const claim = await taken(one);
    expect(await refusal(two)).to.match(/is being processed/);
    const answer = Buffer.from([0, 255, 10, 128]);
    await claim.answer(answer);
    expect(await two.take(scope)).to.deep.equal(answer);
    expect(await one.take(scope)).to.deep.equal(answer);
  });

  it('are free again when they are released, and when their time is over', async () => {
    const claims = claimsOf({ retentionMs: 50 });
    await (await taken(claims)).release();
    await (await taken(claims)).answer(Buffer.from('a'));
    await until(async () => !Buffer.isBuffer(await claims.take(scope)));
  });

  it('live as long as their process says so, however long that takes', async () => {
    const [one, two] = [claimsOf({ leaseMs: 500 }), claimsOf()];
    const claim = await taken(one);
    const end = Date.now() + 1500;
    while (Date.now() < end) expect(await refusal(two)).to.match(/is being processed/);
    await claim.release();
    await taken(two);
  });

  it('of a process that is gone say that the outcome is unknown, and are never taken over', async () => {
    const [one, two] = [claimsOf({ leaseMs: 30 }), claimsOf()];
    await taken(one);
    // As a process that dies: nothing is said any more.
    one[Symbol.dispose]();
    await until(async () => /outcome .* is not known/.test(await refusal(two)));
    expect(await refusal(two)).to.match(/not sent again/);
  });

  it('that are abandoned say so at once', async () => {
    const claims = claimsOf();
    await (await taken(claims)).abandon();
    expect(await refusal(claims)).to.match(/outcome .* is not known/);
  });

  it('are not touched by who has lost them', async () => {
    const claims = claimsOf({ retentionMs: 40 });
    const late = await taken(claims);
    await until(async () => (await redis.exists(`test:idempotency:${scope.toString('hex')}`)) === 0);
    const next = await taken(claimsOf());
    await late.answer(Buffer.from('of the first'));
    await late.release();
    await next.answer(Buffer.from('of the second'));
    expect(await claims.take(scope)).to.deep.equal(Buffer.from('of the second'));
  });

  it('that were taken by an order whose answer was lost are free again soon', async () => {
    const hasty = createRedis({
      url: new Secret(server.url),
      connectionName: 'test',
      commandTimeoutMs: 30,
      onError: () => undefined,
    });
    await new Promise((resolve) => hasty.once('ready', resolve));
    const claims = new Claims({
      redis: hasty,
      prefix: 'test',
      waitReplicas: 0,
      retentionMs: 60_000,
      logger: silent,
      leaseMs: 60,
    });
    made.push(claims);
    await redis.call('CLIENT', ['PAUSE', '100', 'ALL']);
    expect(await claims.take(scope).catch((error: unknown) => error)).to.include({ code: 'unavailable' });
    await until(async () => (await refusal(claimsOf())) === 'taken');
    hasty.disconnect();
  });

  it('that no replica has are not held, and are free again soon', async () => {
    const claims = claimsOf({ waitReplicas: 1, leaseMs: 60 });
    expect(await claims.take(scope).catch((error: unknown) => error)).to.include({ code: 'unavailable' });
    await until(async () => (await refusal(claimsOf())) === 'taken');
  });

  it('cannot be taken while Redis is away', async () => {
    const away = createRedis({
      url: new Secret('redis://127.0.0.1:1'),
      connectionName: 'test',
      commandTimeoutMs: 100,
      onError: () => undefined,
    });
    const claims = new Claims({
      redis: away,
      prefix: 'test',
      waitReplicas: 0,
      retentionMs: 1000,
      logger: silent,
    });
    const failure = await claims.take(scope).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'unavailable' });
    away.disconnect();
  });
});
