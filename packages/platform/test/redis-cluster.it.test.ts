import { expect } from 'chai';

import { type RedisCluster, startRedisCluster } from '../../../test/harness/redis-cluster.ts';
import { SteadyLoad } from '../../../test/harness/steady-load.ts';
import { until } from '../../../test/harness/until.ts';
import { getValues } from '../src/db/get-values.ts';
import { awaitReplicas } from '../src/db/redis-replicas.ts';
import { type Redis, createPatientRedis, createRedis, createSubscriber } from '../src/db/redis.ts';
import { scanNames } from '../src/db/scan-names.ts';
import { Secret } from '../src/values/secret.ts';

/** Three real primaries with a replica each. */
describe('a connection to a cluster', function () {
  this.timeout(120_000);
  let cluster: RedisCluster;
  let redis: Redis;
  const open: { disconnect(): void }[] = [];

  before(async function () {
    const started = await startRedisCluster();
    if (started === undefined) this.skip();
    cluster = started;
    redis = await ready(createRedis({ ...options('test'), commandTimeoutMs: 5000 }));
  });
  after(async () => {
    for (const connection of open) connection.disconnect();
    await cluster?.[Symbol.asyncDispose]();
  });

  const options = (connectionName: string) => ({
    url: new Secret(cluster.url),
    connectionName,
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  async function ready<T extends Pick<Redis, 'status' | 'once' | 'disconnect'>>(connection: T): Promise<T> {
    open.push(connection);
    if (connection.status !== 'ready') await new Promise((resolve) => connection.once('ready', resolve));
    return connection;
  }

  it('fails commands at once while no node is there, and has those of workers wait', async () => {
    const nowhere = { ...options('nowhere'), url: new Secret('redis-cluster://127.0.0.1:1') };
    const away = createRedis(nowhere);
    const patient = createPatientRedis(nowhere);
    open.push(away, patient);
    const waiting = patient.get('name').catch(() => 'given up');
    expect(await away.get('name').catch(({ message }: Error) => message)).to.match(/away|closed|available/);
    expect(await Promise.race([waiting, redis.get('none')])).to.equal(null);
    patient.disconnect();
  });

  it('finds names in all slots, each alone and all by a pattern', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `spread:${at}`);
    await Promise.all(names.map((name) => redis.set(name, name)));
    const values = await getValues(redis, [...names, 'spread:none']);
    expect(values.map(String)).to.deep.equal([...names, 'null']);
    const found = new Set<string>();
    for await (const some of scanNames(redis, 'spread:*', 10)) for (const name of some) found.add(name);
    expect([...found].toSorted()).to.deep.equal(names.toSorted());
    const primaries = await Promise.all(names.map((name) => cluster.primaryOf(name)));
    expect(new Set(primaries)).to.have.length(3);
  });

  it('loses no request to a slot that moves', async () => {
    for (let at = 0; at < 300; at += 1) await redis.set(`{moves}:${at}`, 'value');
    const script = `redis.call('INCR', KEYS[1]) return redis.call('INCR', KEYS[2])`;
    const patient = await ready(createPatientRedis(options('patient')));
    let rounds = 0;
    const load = new SteadyLoad(
      {
        kinds: {
          script: async () => void (await redis.eval(script, 2, '{moves}:one', '{moves}:two')),
          patient: async () => void (await patient.eval(script, 2, '{moves}:three', '{moves}:four')),
          // Names that are nowhere are asked for at both places.
          values: async () => {
            const [value, none] = await getValues(redis, [`{moves}:${rounds % 300}`, `{moves}:no${rounds}`]);
            rounds += 1;
            return String(value) === 'value' && none === null
              ? undefined
              : `${String(value)} ${String(none)}`;
          },
        },
      },
      { callers: 6, pauseMs: 1 },
    );
    await load.goesOn(20);
    for (let times = 0; times < 3; times += 1) {
      await cluster.moveSlotOf('{moves}');
      await load.goesOn(20);
    }
    await load.end();
    expect(load.failures).to.deep.equal([]);
    const counts = await getValues(redis, ['{moves}:one', '{moves}:two', '{moves}:three', '{moves}:four']);
    const [one, two, three, four] = counts.map(Number);
    // Each was executed once.
    expect([one, three]).to.deep.equal([two, four]);
    expect(one! + three! + rounds).to.equal(load.sent);
  });

  it('that listens hears on from another node when its own is lost, and says that it may have missed some', async () => {
    const subscriber = await ready(createSubscriber(options('listener')));
    const heard: string[] = [];
    subscriber.on('message', (_channel: string, message: string) => heard.push(message));
    await subscriber.subscribe('changes');
    await redis.publish('changes', 'before');
    await until('it has heard', () => heard.includes('before'));
    const isHere = async (client: (typeof cluster.nodes)[number]['client']) =>
      String(await client.client('LIST')).includes('name=listener');
    const here = await Promise.all(cluster.nodes.map(({ client }) => isHere(client)));
    const node = cluster.nodes[here.indexOf(true)]!;
    const again = new Promise((resolve) => subscriber.once('ready', resolve));
    await node.kill();
    await again;
    await subscriber.subscribe('changes');
    await until('it hears again', async () => {
      await redis.publish('changes', 'after').catch(() => undefined);
      return heard.includes('after');
    });
    await node.revive();
    await cluster.whole();
  });

  it('leaves a primary that neither answers nor refuses', async () => {
    const hasty = await ready(createRedis({ ...options('hangs'), commandTimeoutMs: 500 }));
    await hasty.set('hangs', 'not yet');
    const primary = await cluster.primaryOf('hangs');
    primary.hang();
    await until('another node has taken over', () =>
      hasty.set('hangs', 'no more').then(
        () => true,
        () => false,
      ),
    );
    await primary.kill();
    await primary.revive();
    await cluster.whole();
  });

  it('keeps what was confirmed when a primary is killed under load', async () => {
    const confirmed = new Map<string, string>();
    const replicated = awaitReplicas(redis, 1);
    const stopped = new AbortController();
    let count = 0;
    const write = async () => {
      for (let at = count++; !stopped.signal.aborted; at = count++) {
        try {
          await redis.set(`kept:${at % 1000}`, String(at));
          await replicated(`kept:${at % 1000}`);
          confirmed.set(`kept:${at % 1000}`, String(at));
        } catch {
          // Not confirmed: it may be there or not.
          confirmed.delete(`kept:${at % 1000}`);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const writers = Array.from({ length: 8 }, write);
    await until('all names are written', () => count > 2000);
    const primary = await cluster.primaryOf('kept:1');
    await primary.kill();
    await until('another node has taken over', async () =>
      redis.set('kept:1', 'x').then(
        () => true,
        () => false,
      ),
    );
    confirmed.delete('kept:1');
    stopped.abort();
    await Promise.all(writers);
    const names = [...confirmed.keys()].filter((name) => name !== 'kept:1');
    expect(names.length).to.be.greaterThan(500);
    // A connection to the killed primary may still be about to close.
    let values: readonly (Buffer | null)[] = [];
    await until('all of them can be read', () =>
      getValues(redis, names).then(
        (read) => {
          values = read;
          return true;
        },
        () => false,
      ),
    );
    expect(values.map(String)).to.deep.equal(names.map((name) => confirmed.get(name)));
    // Its replica is the primary now, and has none.
    expect(await replicated('kept:1').catch(({ message }: Error) => message)).to.match(/^0 replicas of 1/);
    await primary.revive();
    await cluster.whole();
    await until('a replica has it', () =>
      replicated('kept:1').then(
        () => true,
        () => false,
      ),
    );
  });
});
