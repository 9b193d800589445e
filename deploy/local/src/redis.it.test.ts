import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { stateDirectory } from './places.ts';
import { StartProblem } from './problem.ts';
import { pingRedis } from './redis-connection.ts';
import { type RedisSource, findRedisServer } from './redis-server.ts';
import { startRedis } from './redis.ts';

describe('private Redis', () => {
  for (const source of sources()) {
    describe(`from the source "${source}"`, () => {
      before(async function () {
        // Debian's package can't be fetched without a network.
        if (source === 'debian' && !(await findRedisServer(stateDirectory(), { only: source }))) this.skip();
      });

      it('runs, wants a password, and leaves no file when it was ephemeral', async () => {
        const redis = await startRedis({ ephemeral: true, source });
        expect(await pingRedis(redis.url)).to.equal(undefined);
        const stranger = new URL(redis.url);
        stranger.password = '';
        expect(await pingRedis(stranger.href)).to.match(/^NOAUTH/);
        stranger.password = 'guess';
        expect(await pingRedis(stranger.href)).to.match(/^WRONGPASS/);
        await redis.stop();
        expect(existsSync(redis.dataDir as string)).to.equal(false);
        expect(await pingRedis(redis.url)).to.be.a('string');
      });

      it('says whether it is the real one', async () => {
        await using redis = await startRedis({ ephemeral: true, source });
        expect(redis.isReal).to.equal(source !== 'javascript');
        expect(redis.description).to.match(
          source === 'javascript' ? /trying out only/ : /^(Redis|Valkey) \d/,
        );
      });
    });
  }

  it('keeps its data from one start to the next', async function () {
    const dataDir = mkdtempSync(join(tmpdir(), 'glovebox-test-redis-'));
    try {
      {
        await using first = await startRedis({ dataDir, password: 'kept' });
        if (!first.isReal) this.skip();
        expect(await send(first.url, 'SET kept 42')).to.equal('+OK');
      }
      await using second = await startRedis({ dataDir, password: 'kept' });
      expect(await send(second.url, 'GET kept')).to.equal('$2 42');
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('takes a given server as it is, and names the setting when that is of no use', async () => {
    await using own = await startRedis({ ephemeral: true });
    await using given = await startRedis({ redisUrl: own.url });
    expect([given.url, given.child]).to.deep.equal([own.url, undefined]);
    for (const redisUrl of [own.url.replace(/:[^:@]+@/, ':guess@'), 'http://localhost', 'redis']) {
      const outcome = await startRedis({ redisUrl }).catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(StartProblem).with.property('message').that.includes('REDIS_URL');
    }
  });
});

/** Those that this kind of machine can have at all. */
function sources(): RedisSource[] {
  const path = (process.env['PATH'] ?? '').split(':');
  const installed = path.some((directory) => existsSync(join(directory, 'redis-server')));
  return [
    ...(installed ? (['path'] as const) : []),
    ...(existsSync('/usr/bin/apt-get') ? (['debian'] as const) : []),
    'javascript',
  ];
}

/** Sends an inline command and returns the answer on one line. */
function send(url: string, command: string): Promise<string> {
  const { port, password } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', reject);
    socket.write(`AUTH ${password}\r\n${command}\r\nPING\r\n`);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (!answer.endsWith('+PONG\r\n')) return;
      socket.destroy();
      resolve(answer.split('\r\n').slice(1, -2).join(' '));
    });
  });
}
