import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { checkout } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';

import { testPublication } from '../../../test/harness/test-publication.ts';
import type { Cores } from '../measure/cores.ts';
import { type Program, startProgram } from '../measure/program.ts';
import type { PublishedProxies } from './published-proxies.ts';

const token = 'token-of-the-bench';
/** As it is deployed (deploy/k8s): V8 collects more often than without. */
const heapLimit = '--max-old-space-size=512';

export interface RunnerProgram extends Program {
  readonly port: number;
  readonly token: string;
  /** Resolves when the runner starts no worker: another than the one that serves is made ready, which takes seconds. */
  settled(): Promise<void>;
}

/** The runner as it runs in production, with one worker that serves, on the measured core. */
export async function startRunner(
  scratch: string,
  cores: Cores,
  { redis, prefix }: PublishedProxies,
): Promise<RunnerProgram> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const main = join(checkout, 'services/reactor-runner/src/main.ts');
  const program = await startProgram({
    command: cores.measured([process.execPath, heapLimit, '--conditions=source', main]),
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      GRPC_PLAINTEXT: 'true',
      LOG_LEVEL: 'warn',
      GRPC_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLICATION_PUBLIC_KEYS: testPublication.setting,
      REDIS_URL: redis.url,
      REDIS_PREFIX: prefix,
      VAULT_ADDRESS: '127.0.0.1:1',
      SERVICE_TOKEN: 'none',
      PEERS: `proxy-gateway=${createHash('sha256').update(token).digest('hex')}`,
      WORKERS: '1',
    },
    logFile: join(scratch, 'runner.log'),
    ready: async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined);
      return answer?.status === 200;
    },
  });
  const settled = async () => {
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((answer) => answer.text());
    if (/^glovebox_runner_workers\{state="spare"[^}]*\} 1$/m.test(metrics)) return;
    await setTimeout(100);
    await settled();
  };
  return { ...program, port, token, settled };
}
