import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureKeyFile } from '@glovebox/local/key-file';
import { freePort } from '@glovebox/local/ports';

import { testPublication } from '../../../../test/harness/test-publication.ts';
import type { ControlConfig } from '../../src/config.ts';
import { startServiceProcess } from './service-process.ts';
import { inDatabase, startedStores } from './stores.ts';

const entry = fileURLToPath(new URL('../../../token-vault/src/main.ts', import.meta.url));

/** A vault process that knows the control-api of `config`. */
export interface TestVault extends AsyncDisposable {
  readonly address: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

export async function startVault(config: ControlConfig): Promise<TestVault> {
  const { postgres } = await startedStores();
  const database = `vault_of_${config.redisPrefix}`;
  await inDatabase(postgres.adminUrl, `CREATE DATABASE ${database}`);
  const folder = await mkdtemp(join(tmpdir(), 'glovebox-vault-'));
  const keyFile = join(folder, 'key.json');
  ensureKeyFile(keyFile);
  const port = await freePort();
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    GRPC_PORT: String(port),
    METRICS_PORT: '0',
    DATABASE_URL: postgres.url(database),
    PUBLICATION_PUBLIC_KEYS: testPublication.setting,
    REDIS_URL: config.redisUrl.reveal(),
    REDIS_PREFIX: config.redisPrefix,
    KEY_FILE: keyFile,
    PEERS: `control-api=${createHash('sha256').update(config.serviceToken.reveal()).digest('hex')}`,
  };
  const vault = await startServiceProcess(entry, { env, port, token: config.serviceToken });
  const stop = async (signal: NodeJS.Signals) => {
    await vault.end(signal);
    await rm(folder, { recursive: true, force: true });
  };
  return {
    address: vault.address,
    kill: () => stop('SIGKILL'),
    [Symbol.asyncDispose]: () => stop('SIGTERM'),
  };
}
