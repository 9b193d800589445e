import { createRedis, createSubscriber } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { type RedisCluster, startRedisCluster } from '../../../test/harness/redis-cluster.ts';
import { until } from '../../../test/harness/until.ts';
import { subscribe } from '../src/subscription.ts';

describe('a subscription in a cluster', function () {
  this.timeout(60_000);
  let cluster: RedisCluster;

  before(async function () {
    const started = await startRedisCluster();
    if (started === undefined) this.skip();
    cluster = started;
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  it('leaves a node that has left the cluster, and says that changes may have been missed', async () => {
    const node = cluster.nodes.at(-1)!;
    const options = { connectionName: 'test', commandTimeoutMs: 2000, onError: () => undefined };
    const atNode = cluster.url.replace(/@.*/, `@127.0.0.1:${node.port}`);
    const redis = createRedis({ ...options, url: new Secret(cluster.url) });
    const subscriber = createSubscriber({ ...options, url: new Secret(atNode) });
    const changed: string[] = [];
    let resumed = 0;
    let toItself = 0;
    subscriber.on('message', (channel: string) => (toItself += channel === 'changes' ? 0 : 1));
    const listener = { changed: (name: string) => void changed.push(name), resumed: () => (resumed += 1) };
    const own = { publisher: redis, pingEveryMs: 200 };
    using _ = subscribe(subscriber, 'changes', listener, own);
    const hears = async (name: string) => {
      await redis.publish('changes', name).catch(() => undefined);
      return changed.includes(name);
    };
    try {
      await until('it hears', () => hears('before'));
      expect(resumed).to.equal(1);
      for (const other of cluster.nodes)
        if (other !== node) await other.client.call('CLUSTER', 'FORGET', node.id);
      await node.client.call('CLUSTER', 'RESET', 'SOFT');
      await until('it has gone to another node', () => resumed > 1);
      await until('it hears again', () => hears('after'));
      // It stays where it hears itself.
      const [before, from] = [resumed, toItself];
      await until('it has heard itself some times', () => toItself > from + 5);
      expect(resumed).to.equal(before);
    } finally {
      redis.disconnect();
      subscriber.disconnect();
    }
  });
});
