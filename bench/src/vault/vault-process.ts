import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { ensureKeyFile } from '@glovebox/local/key-file';
import { checkout } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';

import { testPublication } from '../../../test/harness/test-publication.ts';
import type { Cores } from '../measure/cores.ts';
import { type Program, startProgram } from '../measure/program.ts';
import { type Stores, redisPrefix } from './stores.ts';

const token = 'token-of-the-bench';

export interface VaultProgram extends Program {
  readonly port: number;
  readonly token: string;
}

/** The vault as it runs in production, on the measured core. */
export async function startVault(
  scratch: string,
  cores: Cores,
  stores: Stores,
  env: Readonly<Record<string, string>> = {},
): Promise<VaultProgram> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const keyFile = join(scratch, 'vault-key.json');
  ensureKeyFile(keyFile);
  const main = join(checkout, 'services/token-vault/src/main.ts');
  const program = await startProgram({
    command: cores.measured([process.execPath, '--conditions=source', main]),
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      GRPC_PLAINTEXT: 'true',
      LOG_LEVEL: 'warn',
      GRPC_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: stores.postgres.adminUrl,
      PUBLICATION_PUBLIC_KEYS: testPublication.setting,
      REDIS_URL: stores.redis.url,
      REDIS_PREFIX: redisPrefix,
      KEY_FILE: keyFile,
      ...env,
      PEERS: `proxy-gateway=${createHash('sha256').update(token).digest('hex')}`,
    },
    logFile: join(scratch, 'vault.log'),
    ready: async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined);
      return answer?.status === 200;
    },
  });
  return { ...program, port, token };
}
