import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { freePort } from '@glovebox/local/ports';
import type { Secret } from '@glovebox/platform/values/secret';

import { testPublication } from '../../../../test/harness/test-publication.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';

const entry = fileURLToPath(new URL('../../../reactor-runner/src/main.ts', import.meta.url));

let running: Promise<ServiceProcess> | undefined;

/** One runner for all test files of a run: it compiles code, and knows no more of an installation than a token. */
export function startedRunner(serviceToken: Secret<string>, redisUrl: string): Promise<ServiceProcess> {
  running ??= startRunner(serviceToken, redisUrl);
  return running;
}

after(async () => {
  await (await running)?.end('SIGTERM');
});

async function startRunner(serviceToken: Secret<string>, redisUrl: string): Promise<ServiceProcess> {
  const port = await freePort();
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    GRPC_PORT: String(port),
    METRICS_PORT: '0',
    PUBLICATION_PUBLIC_KEYS: testPublication.setting,
    REDIS_URL: redisUrl,
    VAULT_ADDRESS: '127.0.0.1:1',
    SERVICE_TOKEN: 'runner-token',
    PEERS: `control-api=${createHash('sha256').update(serviceToken.reveal()).digest('hex')}`,
    WORKERS: '1',
  };
  return startServiceProcess(entry, { env, port, token: serviceToken });
}
