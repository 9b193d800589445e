import { type Server, type Socket, connect as connectTo, createServer } from 'node:net';

import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { expect } from 'chai';
import { Redis as Client } from 'ioredis';

import { type Redis, createPatientRedis, createRedis } from '../src/db/redis.ts';
import { Secret } from '../src/values/secret.ts';

/** On two real Redis servers behind one address, as a Service or a name is that leads to the primary. */
describe('a connection to a Redis that becomes a replica', () => {
  const sockets = new Set<Socket>();
  let first: RunningRedis;
  let second: RunningRedis;
  let admin: Client;
  let forwarder: Server;
  let primary: URL;
  const open: Redis[] = [];

  before(async function () {
    const password = 'of-both';
    [first, second] = await Promise.all([
      startRedis({ ephemeral: true, password }),
      startRedis({ ephemeral: true, password }),
    ]);
    if (!first.isReal) this.skip();
    admin = new Client(first.url);
  });

  beforeEach(async () => {
    await admin.call('REPLICAOF', 'NO', 'ONE');
    primary = new URL(first.url);
    forwarder = createServer((socket) => {
      const upstream = connectTo(Number(primary.port), primary.hostname);
      for (const end of [socket, upstream]) {
        sockets.add(end);
        end
          .on('error', () => undefined)
          .on('close', () => [socket, upstream].forEach((one) => one.destroy()));
      }
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => {
    for (const redis of open.splice(0)) redis.disconnect();
    for (const socket of sockets) socket.destroy();
    forwarder.close();
  });

  after(async () => {
    admin?.disconnect();
    await Promise.all([first.stop(), second.stop()]);
  });

  /** The connections that there are stay where they are. */
  const failOver = async () => {
    const { hostname, port } = (primary = new URL(second.url));
    await admin.call('REPLICAOF', hostname, port);
  };
  const options = () => {
    const url = new URL(first.url);
    url.port = String((forwarder.address() as { port: number }).port);
    return { url: new Secret(url.href), connectionName: 'test', onError: () => undefined };
  };
  const ready = async (redis: Redis) => {
    open.push(redis);
    await new Promise((resolve) => redis.once('ready', resolve));
    return redis;
  };

  it('fails its writes once, and then goes to the primary', async () => {
    const redis = await ready(createRedis({ ...options(), commandTimeoutMs: 1000 }));
    await redis.set('name', 'before');
    await failOver();
    const refusal = await redis.set('name', 'after').catch((error: Error) => error.message);
    expect(refusal).to.match(/^READONLY/);
    await new Promise((resolve) => redis.once('ready', resolve));
    expect(await redis.set('name', 'after')).to.equal('OK');
  });

  it('that waits for work sends them again, to the primary', async () => {
    const redis = await ready(createPatientRedis(options()));
    await redis.set('name', 'before');
    await failOver();
    expect(await redis.set('name', 'after')).to.equal('OK');
  });

  it('is not given up for each write where there is no other server to go to', async () => {
    const redis = await ready(createRedis({ ...options(), commandTimeoutMs: 1000 }));
    await admin.call('REPLICAOF', new URL(second.url).hostname, new URL(second.url).port);
    let ended = 0;
    redis.on('close', () => (ended += 1));
    for (let round = 0; round < 20; round += 1) {
      if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
      await redis.set('name', String(round)).catch(() => undefined);
    }
    expect(ended).to.be.within(1, 2);
  });
});
