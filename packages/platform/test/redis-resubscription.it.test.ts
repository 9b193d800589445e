import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

import { startRedis } from '@glovebox/local/redis';
import { expect } from 'chai';

import { until } from '../../../test/harness/until.ts';
import { createRedis } from '../src/db/redis.ts';
import { Secret } from '../src/values/secret.ts';

describe('a connection that has subscribed, when it is made anew', () => {
  it('asks for nothing by itself, whose failure nothing would catch', async () => {
    await using server = await startRedis({ ephemeral: true });
    const { hostname, port } = new URL(server.url);
    const sockets = new Set<Socket>();
    // Forwards everything but subscriptions, once the first connection is gone: their answer never comes.
    let connections = 0;
    const relay = createServer((near) => {
      connections += 1;
      const isFirst = connections === 1;
      const far = connect(Number(port), hostname);
      for (const [end, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(end);
        end.on('error', () => undefined).on('close', () => other.destroy());
      }
      far.pipe(near);
      near.on('data', (chunk: Buffer) => {
        const text = chunk.toString();
        if (isFirst || !/subscribe/i.test(text)) far.write(chunk);
      });
    });
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(server.url);
    url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
    const uncaught: unknown[] = [];
    const note = (reason: unknown) => uncaught.push(reason);
    const before = process.rawListeners('unhandledRejection') as ((reason: unknown) => void)[];
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    const redis = createRedis({
      url: new Secret(url.href),
      connectionName: 'test',
      commandTimeoutMs: 1000,
      onError: () => undefined,
    });
    try {
      if (redis.status !== 'ready') await once(redis, 'ready');
      await redis.subscribe('changes');
      const again = once(redis, 'ready');
      for (const socket of sockets) socket.destroy();
      await again;
      const own = await redis.subscribe('others').then(
        () => 'subscribed',
        ({ message }: Error) => message,
      );
      expect(own).to.equal('Command timed out');
      await until('a turn has passed', () => new Promise((turn) => setImmediate(() => turn(true))));
      expect(uncaught).to.deep.equal([]);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of before) process.on('unhandledRejection', listener);
      redis.disconnect();
      for (const socket of sockets) socket.destroy();
      relay.close();
    }
  });
});
