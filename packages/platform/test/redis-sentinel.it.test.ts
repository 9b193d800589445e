import { expect } from 'chai';

import { type WatchedRedis, startWatchedRedis } from '../../../test/harness/redis-sentinel.ts';
import { until } from '../../../test/harness/until.ts';
import { awaitReplicas } from '../src/db/redis-replicas.ts';
import { type Redis, createPatientRedis, createRedis, createSubscriber } from '../src/db/redis.ts';
import { Secret } from '../src/values/secret.ts';

/** A real primary with a replica, and a sentinel. */
describe('connections behind a sentinel', function () {
  this.timeout(150_000);
  let watched: WatchedRedis;
  const open: { disconnect(): void }[] = [];

  before(async function () {
    const started = await startWatchedRedis();
    if (started === undefined) this.skip();
    watched = started;
  });
  after(async () => {
    for (const connection of open) connection.disconnect();
    await watched?.[Symbol.asyncDispose]();
  });

  const options = () => ({
    url: new Secret(watched.url),
    connectionName: 'test',
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  async function ready<T extends Pick<Redis, 'status' | 'once' | 'disconnect'>>(connection: T): Promise<T> {
    open.push(connection);
    if (connection.status !== 'ready') await new Promise((resolve) => connection.once('ready', resolve));
    return connection;
  }

  it('go to the primary, and to the one that follows when it is killed, with all that was confirmed', async () => {
    const redis = await ready(createRedis(options()));
    const patient = await ready(createPatientRedis(options()));
    const subscriber = await ready(createSubscriber(options()));
    const heard: string[] = [];
    subscriber.on('message', (_channel: string, message: string) => heard.push(message));
    subscriber.on('ready', () => {
      subscriber.subscribe('changes').catch(() => subscriber.disconnect(true));
    });
    await subscriber.subscribe('changes');
    const replicated = awaitReplicas(redis, 1);
    const confirmed: string[] = [];
    const ended = new AbortController();
    const write = async (writer: number) => {
      for (let at = 0; !ended.signal.aborted; at += 1) {
        const name = `kept:${writer}:${at}`;
        const wait = await redis
          .set(name, name)
          .then(() => replicated(name))
          .then(
            () => 0,
            () => 5,
          );
        if (wait === 0) confirmed.push(name);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    };
    const writers = [0, 1, 2, 3].map(write);
    await until('some writes are confirmed', () => confirmed.length > 500);
    await watched.kill(watched.servers[0]);
    // It waits until there is a primary again.
    expect(await patient.set('patient', 'kept')).to.equal('OK');
    await until(
      'it writes to the other one',
      () =>
        redis.set('after', 'kept').then(
          () => true,
          () => false,
        ),
      60_000,
    );
    ended.abort();
    await Promise.all(writers);
    expect(await redis.mget(...confirmed)).to.deep.equal(confirmed);
    expect(await replicated('after').catch(({ message }: Error) => message)).to.match(/^0 replicas of 1/);
    await until(
      'the subscription is on the other one',
      async () => {
        await redis.publish('changes', 'after').catch(() => undefined);
        return heard.includes('after');
      },
      60_000,
    );
    await watched.revive();
    await redis.set('after', 'again');
    await until(
      'a replica has it',
      () =>
        replicated('after').then(
          () => true,
          () => false,
        ),
      60_000,
    );
  });
});
