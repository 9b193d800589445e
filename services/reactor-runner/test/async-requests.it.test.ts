import { randomUUID } from 'node:crypto';

import { AsyncRequestList } from '@glovebox/published/async-requests';
import { redisNames } from '@glovebox/published/keys';
import { expect } from 'chai';

import { type RequestLimits, RequestStore, type RequestStoreOptions } from '../src/requests/request-store.ts';
import { failureOf } from './expect-failure.ts';
import { Publisher } from './published.ts';

const sealed = Buffer.from([0, 255, 128, 10]);
const end = { type: 'reactor.completed', elapsedMs: 5, at: 7 } as const;

describe('asynchronous requests in Redis', () => {
  let publisher: Publisher;
  before(async () => {
    publisher = await Publisher.start();
  });
  after(() => publisher[Symbol.asyncDispose]());

  const requestsOf = (less: Partial<RequestLimits> = {}, more: Partial<RequestStoreOptions> = {}) =>
    new RequestStore({
      redis: publisher.redis,
      names: redisNames(randomUUID()),
      waitReplicas: 0,
      limits: { open: 100, openPerTenant: 100, keptBytesPerTenant: 1000, lifeMs: 60_000, ...less },
      ...more,
    });
  const listOf = (prefix: string) => new AsyncRequestList(publisher.redis, redisNames(prefix));
  const readsOfRedis = async () =>
    Number(/total_reads_processed:(\d+)/.exec(await publisher.redis.info('stats'))?.[1]);
  const place = (tenantId: string = randomUUID()) => ({
    tenantId,
    reactorId: randomUUID(),
    requestId: randomUUID(),
  });

  it('are kept as they were, until their outcome takes the place of their arguments', async () => {
    const requests = requestsOf();
    const one = place();
    expect(await requests.accept(one, sealed, 'an application')).to.equal(1);
    const { requestId: _, ...ids } = one;
    const empty = Buffer.alloc(0);
    const request = { ...ids, applicationId: 'an application', begun: false, end: undefined };
    const open = { ...request, state: 'open', args: sealed, outcome: empty };
    expect(await requests.read(one)).to.deep.equal(open);
    expect(await requests.settle(one, 'a', sealed, end)).to.equal(true);
    const answered = { ...open, state: 'answered', args: empty, outcome: sealed, end };
    expect(await requests.read(one)).to.deep.equal(answered);
    expect(await requests.read(place())).to.equal(undefined);
    expect(await requests.depth()).to.deep.equal({ open: 0, oldest: undefined });
  });

  it('are neither accepted nor begun unless as many replicas know it as are wanted', async () => {
    const names = redisNames(randomUUID());
    const [requests, replicated] = [0, 1].map((waitReplicas) => requestsOf({}, { names, waitReplicas })) as [
      RequestStore,
      RequestStore,
    ];
    expect(await requests.accept(place(), sealed, 'an application')).to.equal(1);
    const failure = await replicated
      .accept(place(), sealed, 'an application')
      .catch(({ message }: Error) => message);
    expect(failure).to.match(/^0 replicas of 1/);
    const one = place();
    await requests.accept(one, sealed, 'an application');
    expect((await failureOf(replicated.begin(one, 'a'))).code).to.equal('unavailable');
    expect(await requests.begin(one, 'b')).to.equal(true);
  });

  it('in a cluster are counted for all tenants in a list that loses what has ended', async () => {
    const names = redisNames({ prefix: randomUUID(), isCluster: true });
    const requests = requestsOf({ open: 2 }, { names });
    // Those of one millisecond are in the order of their ids.
    const ids = [randomUUID(), randomUUID()].toSorted();
    const [one, two] = [place(ids[0]), place(ids[1])];
    await requests.accept(one, sealed, 'an application');
    await requests.accept(two, sealed, 'an application');
    expect((await failureOf(requests.accept(place(), sealed, 'an application'))).code).to.equal(
      'unavailable',
    );
    expect((await requests.depth()).open).to.equal(2);
    // The process that settles it dies before the list knows.
    await publisher.redis.hset(names.asyncRequest(one.tenantId, one.requestId), 'state', 'answered');
    expect((await requests.depth()).open).to.equal(1);
    await requests.settle(two, 'a', sealed, end);
    expect(await requests.depth()).to.deep.equal({ open: 0, oldest: undefined });
  });

  it('let one attempt begin, and another only when it was taken back', async () => {
    const requests = requestsOf();
    const one = place();
    await requests.accept(one, sealed, 'an application');
    expect(await Promise.all(['a', 'b', 'c'].map((name) => requests.begin(one, name)))).to.deep.equal([
      true,
      false,
      false,
    ]);
    await requests.release(one, 'b');
    expect(await requests.begin(one, 'b')).to.equal(false);
    expect(await requests.interrupt(one, end)).to.equal(true);
    expect(await requests.begin(one, 'a')).to.equal(false);
    const two = place();
    await requests.accept(two, sealed, 'an application');
    await requests.begin(two, 'a');
    await requests.release(two, 'a');
    expect(await requests.interrupt(two, end)).to.equal(false);
    expect(await requests.begin(two, 'b')).to.equal(true);
  });

  it('have one outcome: the first, and of the attempt that began', async () => {
    const requests = requestsOf();
    const one = place();
    await requests.accept(one, sealed, 'an application');
    await requests.begin(one, 'a');
    expect(await requests.settle(one, 'b', sealed, end)).to.equal(false);
    expect(await requests.interrupt(one, end)).to.equal(true);
    expect(await requests.settle(one, 'a', sealed, end)).to.equal(false);
    expect((await requests.read(one))?.state).to.equal('interrupted');
  });

  it('are refused beyond what may be open and kept, and accepted again once there is room', async () => {
    const tenant = randomUUID();
    const requests = requestsOf({ open: 3, openPerTenant: 2, keptBytesPerTenant: 10 });
    const codeOf = async (tenantId: string, args: Buffer) =>
      (await failureOf(requests.accept(place(tenantId), args, 'an application'))).code;
    const first = place(tenant);
    expect(await requests.accept(first, sealed, 'an application')).to.equal(1);
    expect(await requests.accept(place(tenant), sealed, 'an application')).to.equal(2);
    expect(await codeOf(tenant, sealed)).to.equal('rate_limited');
    expect(await codeOf(randomUUID(), Buffer.alloc(11))).to.equal('rate_limited');
    const other = place();
    expect(await requests.accept(other, sealed, 'an application')).to.equal(1);
    expect(await codeOf(randomUUID(), sealed)).to.equal('unavailable');
    await requests.settle(first, 'a', Buffer.alloc(6), end);
    // What is kept of it counts: 6 and 4 of 10 bytes.
    expect(await codeOf(tenant, sealed)).to.equal('rate_limited');
    await requests.forget(other);
    expect(await requests.accept(place(), sealed, 'an application')).to.equal(1);
    expect(await requests.openOf(tenant)).to.equal(1);
  });

  it('are listed for as long as one of them can be kept, which is up to two lifetimes after its acceptance', async () => {
    const [prefix, lifeMs, tenant] = [randomUUID(), 60_000, randomUUID()];
    const requests = requestsOf({ lifeMs }, { names: redisNames(prefix) });
    const [settled, older, later] = [place(tenant), place(tenant), place(tenant)];
    const listed = async () => (await listOf(prefix).latest(tenant, 10)).map(({ id }) => id);
    for (const one of [settled, older]) {
      await requests.accept(one, sealed, 'an application');
      await requests.list(one);
    }
    await requests.settle(settled, 'a', sealed, end);
    const key = redisNames(prefix).asyncRequests(tenant);
    await publisher.redis.zincrby(key, -1.9 * lifeMs, settled.requestId);
    await publisher.redis.zincrby(key, -2 * lifeMs, older.requestId);
    await requests.accept(later, sealed, 'an application');
    await requests.list(later);
    expect(await listed()).to.deep.equal([later.requestId, settled.requestId]);
    expect(await publisher.redis.zscore(key, older.requestId)).to.equal(null);
    expect(await publisher.redis.pttl(key)).to.be.within(1.5 * lifeMs, 2 * lifeMs);
  });

  it('are found in few reads behind any number of removed ones', async () => {
    const [prefix, tenant] = [randomUUID(), randomUUID()];
    const requests = requestsOf({}, { names: redisNames(prefix) });
    const one = place(tenant);
    await requests.accept(one, sealed, 'an application');
    await requests.list(one);
    const ended = Array.from({ length: 499 }, () => [Date.now(), randomUUID()]).flat();
    await publisher.redis.zadd(redisNames(prefix).asyncRequests(tenant), ...ended);
    await publisher.redis.zincrby(redisNames(prefix).asyncRequests(tenant), -1000, one.requestId);
    const before = await readsOfRedis();
    expect((await listOf(prefix).latest(tenant, 2)).map(({ id }) => id)).to.deep.equal([one.requestId]);
    expect((await readsOfRedis()) - before).to.be.below(50);
  });

  it('do not count after their time is over', async () => {
    const requests = requestsOf({ open: 1, keptBytesPerTenant: 4, lifeMs: 30 });
    const tenant = randomUUID();
    await requests.accept(place(tenant), sealed, 'an application');
    const again = async (): Promise<number> =>
      requests.accept(place(tenant), sealed, 'an application').catch(again);
    expect(await again()).to.equal(1);
  });
});
