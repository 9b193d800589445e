import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { freePort } from '@glovebox/local/ports';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { createRedis } from '@glovebox/platform/db/redis';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { compileCache } from '../../../test/harness/compile-cache.ts';
import { until } from '../../../test/harness/until.ts';
import { type Stage, startStage } from './stage.ts';

const main = fileURLToPath(new URL('short-warm-up-main.ts', import.meta.url));
/** On a busy machine. */
const longest = 110_000;

/** A gateway that is a process of its own, as it is in production. */
class GatewayProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #internal: string;
  #logged = '';

  constructor(env: Readonly<Record<string, string>>, internalPort: number) {
    this.#internal = `http://127.0.0.1:${internalPort}`;
    this.child = spawn(process.execPath, ['--conditions=source', main], {
      env: { ...compileCache, ...env, METRICS_PORT: String(internalPort) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (text: Buffer) => (this.#logged += text.toString()));
  }

  /** The messages of its log. */
  get messages(): string[] {
    const lines = this.#logged.split('\n').slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  }

  /** Why it is not ready; `["not listening"]` for one that does not even say so. */
  async reasons(): Promise<string[]> {
    const answer = await fetch(`${this.#internal}/readyz`).catch(() => undefined);
    if (answer === undefined) return ['not listening'];
    return Object.keys(((await answer.json()) as { reasons: object }).reasons);
  }

  /** Its counters and histograms that have counted anything, without those of the process and of its connections. */
  async counted(): Promise<string[]> {
    const text = await (await fetch(`${this.#internal}/metrics`)).text();
    return [...text.matchAll(/^(glovebox_\w+_(?:total|count))(?:\{.*\})? [1-9]/gm)].map(([, name]) => name!);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

describe('a gateway that warms up', () => {
  let redis: RunningRedis;
  let stage: Stage;

  before(async () => {
    redis = await startRedis({ ephemeral: true });
    stage = await startStage(redis.url, {});
  });
  after(async () => {
    await stage[Symbol.asyncDispose]();
    await redis.stop();
  });

  const start = async (warmUpMs: number) =>
    new GatewayProcess({ ...stage.env, LOG_LEVEL: 'info', WARM_UP_MS: String(warmUpMs) }, await freePort());

  const names = async () => {
    const options = { connectionName: 'test', commandTimeoutMs: 5000, onError: () => undefined };
    const client = createRedis({ url: new Secret(redis.url), ...options });
    if (client.status !== 'ready') await once(client, 'ready');
    const keys = await client.keys('*');
    client.disconnect();
    return keys.sort();
  };

  it('is ready once it has ended, and leaves no trace of it', async () => {
    const before = await names();
    await using warmed = await start(longest);
    await until('it only warms up', async () => (await warmed.reasons()).join() === 'warm_up', longest);
    await until('it is ready', async () => (await warmed.reasons()).length === 0, longest);
    await until('it says so', () => warmed.messages.length > 1);
    expect(warmed.messages).to.have.members(['listening', 'warmed up']);
    expect(await warmed.counted()).to.deep.equal([]);
    expect(stage.vault.calls).to.deep.equal([]);
    expect(stage.runner.calls).to.deep.equal([]);
    expect(await names()).to.deep.equal(before);
  }).timeout(longest);

  it('is ready after its time, however far it is', async () => {
    await using warmed = await start(1);
    await until('it is ready', async () => (await warmed.reasons()).length === 0, longest);
    await until('it says so', () => warmed.messages.includes('the warm-up ran out of time'));
  }).timeout(longest);

  it('ends when it is told to', async () => {
    await using warmed = await start(longest);
    await until('it only warms up', async () => (await warmed.reasons()).join() === 'warm_up', longest);
    warmed.child.kill('SIGTERM');
    const [code] = (await once(warmed.child, 'exit')) as [number];
    expect(code).to.equal(0);
    expect(warmed.messages).not.to.include('warmed up');
  }).timeout(longest);
});
