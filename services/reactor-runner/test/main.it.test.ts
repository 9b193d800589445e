import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { compileCache } from '../../../test/harness/compile-cache.ts';
import { testPublication } from '../../../test/harness/test-publication.ts';
import { type Connection, connect, peers } from './connection.ts';
import { failureOf } from './expect-failure.ts';
import { isRunning, workersOf } from './processes.ts';
import { until } from './until.ts';

/** A limit that makes V8 collect more often than without. */
const asDeployed = '--max-old-space-size=512';
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly connection: Connection;
  /** How often it has collected its whole heap. */
  fullCollections(): Promise<number>;
  exited(): Promise<{ code: number | null; signal: string | null }>;
}

async function startProcess(): Promise<RunningProcess> {
  const [grpcPort, metricsPort] = await Promise.all([freePort(), freePort()]);
  const env = {
    ...compileCache,
    PATH: process.env['PATH'],
    LOG_LEVEL: 'silent',
    GRPC_PORT: String(grpcPort),
    METRICS_PORT: String(metricsPort),
    PUBLICATION_PUBLIC_KEYS: testPublication.setting,
    REDIS_URL: 'redis://127.0.0.1:1',
    VAULT_ADDRESS: '127.0.0.1:1',
    SERVICE_TOKEN: 'token-of-the-runner',
    PEERS: Object.entries(peers)
      .map(([name, hash]) => `${name}=${hash}`)
      .join(','),
    WORKERS: '2',
    MAX_RUN_MS: '60000',
  };
  const child = spawn(process.execPath, [asDeployed, '--conditions=source', main], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as const);
  const connection = connect(grpcPort);
  await until('it is ready', async () => {
    if (child.exitCode !== null) throw new Error('it has ended');
    const response = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined);
    return response?.status === 200;
  });
  return {
    child,
    pid: child.pid as number,
    connection,
    async fullCollections() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(
        /^nodejs_gc_duration_seconds_count\{[^}]*kind="major"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    },
    exited: () => exit,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const spins = 'module.exports = () => { for (;;); };';

describe('the process', () => {
  it('finishes its calls on SIGTERM, ends with code 0 and leaves no worker', async () => {
    await using running = await startProcess();
    const slow = running.connection.run(
      'module.exports = async () => { await new Promise((resolve) => setTimeout(resolve, 700)); return "done"; };',
    );
    await running.connection.run('module.exports = () => 1;');
    const workers = workersOf(running.pid);
    expect(workers).not.to.deep.equal([]);
    running.child.kill('SIGTERM');
    expect(await slow).to.equal('done');
    expect(await running.exited()).to.deep.equal({ code: 0, signal: null });
    expect(workers.filter(isRunning)).to.deep.equal([]);
  });

  it('leaves no worker when it is killed, busy or idle', async () => {
    await using running = await startProcess();
    const busy = [
      failureOf(running.connection.run(spins)),
      failureOf(running.connection.run(spins, {}, { tenant: 'b' })),
    ];
    await until('both loop and one is spare', () => workersOf(running.pid).length === 3);
    const workers = workersOf(running.pid);
    running.child.kill('SIGKILL');
    await running.exited();
    await until('they are gone', () => workers.filter(isRunning).length === 0);
    for (const { code } of await Promise.all(busy)) expect(code).to.equal('unavailable');
  });

  it('collects its whole heap seldom, whatever its calls bring and take: less than once for 20 MB of them', async () => {
    await using running = await startProcess();
    const text = JSON.stringify('x'.repeat(10_000));
    const megabytes = 200;
    let left = (megabytes * 100) / 2;
    const before = await running.fullCollections();
    const caller = async () => {
      while ((left -= 1) >= 0)
        await running.connection.runText('module.exports = (x) => x;', Buffer.from(text));
    };
    await Promise.all(Array.from({ length: 64 }, caller));
    expect((await running.fullCollections()) - before).to.be.below(megabytes / 20);
  });

  it('names every problem of its configuration at once and ends with code 78', async () => {
    const child = spawn(process.execPath, ['--conditions=source', main], {
      env: {
        ...compileCache,
        PATH: process.env['PATH'],
        WORKERS: '0',
        PEERS: 'gateway',
        VAULT_ADDRESS: 'nowhere',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = await once(child, 'close');
    expect(code).to.equal(78);
    for (const name of ['WORKERS', 'PEERS', 'VAULT_ADDRESS', 'REDIS_URL', 'SERVICE_TOKEN']) {
      expect(stderr).to.contain(name);
    }
  });
});
