import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureKeyFile } from '@glovebox/local/key-file';
import { freePort } from '@glovebox/local/ports';
import { createGrpcChannel } from '@glovebox/platform/grpc-client';

import type { ControlConfig } from '../../src/config.ts';
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
  const child = spawn(process.execPath, ['--conditions=source', entry], {
    env: {
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      GRPC_PORT: String(port),
      METRICS_PORT: '0',
      DATABASE_URL: postgres.url(database),
      REDIS_URL: config.redisUrl.reveal(),
      REDIS_PREFIX: config.redisPrefix,
      KEY_FILE: keyFile,
      PEERS: `control-api=${createHash('sha256').update(config.serviceToken.reveal()).digest('hex')}`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = async (signal: NodeJS.Signals) => {
    await end(child, signal);
    await rm(folder, { recursive: true, force: true });
  };
  const address = `127.0.0.1:${port}`;
  await connectable(address, config, child);
  return { address, kill: () => stop('SIGKILL'), [Symbol.asyncDispose]: () => stop('SIGTERM') };
}

async function connectable(address: string, config: ControlConfig, child: ChildProcess): Promise<void> {
  const channel = createGrpcChannel({ address, token: config.serviceToken });
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the vault ended at once')));
  died.catch(() => undefined);
  try {
    await Promise.race([channel.waitForReady(20_000), died]);
  } finally {
    channel.close();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
