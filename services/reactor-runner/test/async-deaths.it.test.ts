import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { testPublication } from '../../../test/harness/test-publication.ts';
import type { AttemptStep } from '../src/async/perform-job.ts';
import { connect, peers } from './connection.ts';
import { Publisher } from './published.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { type SealingVault, startSealingVault } from './vault.ts';

const tenant = randomUUID();

describe('a runner that is killed', () => {
  let publisher: Publisher;
  let vault: SealingVault;
  let apiKey: string;
  before(async () => {
    publisher = await Publisher.start();
    vault = await startSealingVault('token-of-the-runner');
    apiKey = await publisher.application(tenant, ['token:use']);
  });
  after(async () => {
    await vault[Symbol.asyncDispose]();
    await publisher[Symbol.asyncDispose]();
  });

  const startMortal = async (step: AttemptStep): Promise<{ child: ChildProcess; port: number }> => {
    const child = fork(fileURLToPath(new URL('mortal-runner-main.ts', import.meta.url)), [step], {
      execArgv: ['--conditions=source'],
      env: {
        PUBLICATION_PUBLIC_KEYS: testPublication.setting,
        REDIS_URL: publisher.url.reveal(),
        REDIS_PREFIX: publisher.prefix,
        VAULT_ADDRESS: vault.address,
        SERVICE_TOKEN: 'token-of-the-runner',
        PEERS: Object.entries(peers)
          .map(([name, hash]) => `${name}=${hash}`)
          .join(','),
        GRPC_PORT: '0',
        METRICS_PORT: '0',
        WORKERS: '1',
      },
    });
    const [port] = await once(child, 'message');
    return { child, port: Number(port) };
  };

  /** The result of an invocation whose runner dies at a step, by two others that look for work. */
  const fateOf = async (step: AttemptStep): Promise<{ answer: unknown; runs: number }> => {
    const { child, port } = await startMortal(step);
    const dead = once(child, 'exit');
    const connection = connect(port);
    const reactorId = await publisher.reactor(tenant, 'module.exports = () => ({ raw: "ran" })');
    const requestId = await connection.reactAsync({ reactorId, apiKey, body: Buffer.from('{}') });
    child.send('die');
    await dead;
    await connection[Symbol.asyncDispose]();
    let runs = 0;
    const others: TestRunner[] = [];
    for (let n = 0; n < 2; n += 1) {
      const onStep = (at: AttemptStep, of: string) => {
        if (at === 'begun' && of === requestId) runs += 1;
      };
      const redis = publisher.connection;
      // A busy machine may keep one of them silent for a while: it is not to be taken for dead by the other.
      const async = { lockMs: 2000 };
      others.push(await startTestRunner({ redis, vaultAddress: vault.address, onStep, async }));
    }
    try {
      let answer: unknown;
      await until('there is a result', async () => {
        const asked = others[0]?.result({ reactorId, requestId, apiKey });
        answer = await asked?.catch((error: unknown) => error);
        return !(answer instanceof AppError && answer.code === 'not_found');
      });
      const job = `${publisher.prefix}:bull:reactor-invocations:${requestId}`;
      await until('nothing is left in the queue', async () => (await publisher.lifeOf(job)) === undefined);
      return { answer: answer instanceof AppError ? answer.errors : answer, runs };
    } finally {
      for (const other of others) await other[Symbol.asyncDispose]();
    }
  };

  it('before the code begins leaves the invocation to another one, which runs it once', async () => {
    expect(await fateOf('taken')).to.deep.equal({ answer: { raw: 'ran' }, runs: 1 });
  });

  for (const step of ['begun', 'ran'] as const) {
    it(`once the code has begun, at ${step}, is reported as interrupted, and its code does not run again`, async () => {
      const { answer, runs } = await fateOf(step);
      expect(runs).to.equal(0);
      expect((answer as Record<string, string[]>)['error']?.[0]).to.match(/was interrupted/);
    });
  }

  it('once the result is kept loses nothing', async () => {
    expect(await fateOf('settled')).to.deep.equal({ answer: { raw: 'ran' }, runs: 0 });
  });
});
