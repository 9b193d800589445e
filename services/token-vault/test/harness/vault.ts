import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { type GrpcChannel, createGrpcChannel } from '@glovebox/platform/grpc/client';
import { createLogger } from '@glovebox/platform/telemetry/logger';
import { Secret } from '@glovebox/platform/values/secret';

import { testPublication } from '../../../../test/harness/test-publication.ts';
import { type VaultConfig, readConfig } from '../../src/config.ts';
import { createKeyFile } from '../../src/crypto/key-file.ts';
import { type Vault, createVault } from '../../src/vault.ts';
import { createMigratedDatabase, sharedRedis } from './servers.ts';

const peerNames = ['control-api', 'proxy-gateway', 'reactor-runner', 'stranger'] as const;
type PeerName = (typeof peerNames)[number];

/** What a vault is started on: database, keys and peers outlive it. */
export interface Ground extends AsyncDisposable {
  /** By the superuser. */
  readonly databaseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<PeerName, string>>;
}

export async function prepareGround(prefix: string): Promise<Ground> {
  const directory = await mkdtemp(join(tmpdir(), 'vault-test-'));
  const keyFile = join(directory, 'keys.json');
  await createKeyFile(keyFile);
  const tokens = Object.fromEntries(
    peerNames.map((name) => [name, randomBytes(16).toString('hex')]),
  ) as Record<PeerName, string>;
  const { adminUrl: databaseUrl, serviceUrl } = await createMigratedDatabase();
  return {
    databaseUrl,
    tokens,
    env: {
      NODE_ENV: 'test',
      METRICS_PORT: '0',
      GRPC_PORT: '0',
      WARM_UP_MS: '0',
      DATABASE_URL: serviceUrl,
      PUBLICATION_PUBLIC_KEYS: testPublication.setting,
      REDIS_URL: (await sharedRedis()).url,
      REDIS_PREFIX: prefix,
      KEY_FILE: keyFile,
      PEERS: peerNames
        .map((name) => `${name}=${createHash('sha256').update(tokens[name]).digest('hex')}`)
        .join(','),
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

export interface TestVault extends AsyncDisposable {
  readonly vault: Vault;
  /** All log lines so far. */
  readonly logged: string[];
  as(peer: PeerName): GrpcChannel;
}

/** Of a warm-up, where one is asked for. */
const warmUpCalls = 1000;

/** @param change of what no operator can set */
export async function startVault(
  ground: Ground,
  env: Record<string, string> = {},
  change = (config: VaultConfig) => config,
): Promise<TestVault> {
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const logger = createLogger({ service: 'token-vault', level: 'debug', destination });
  const vault = await createVault(
    change(readConfig({ ...ground.env, ...env })),
    logger,
    undefined,
    warmUpCalls,
  );
  // A Redis of one's own may be meant to be away.
  if (env['REDIS_URL'] === undefined) await untilConfigurationIsSeen(vault);
  const channels: GrpcChannel[] = [];
  return {
    vault,
    logged,
    as: (peer) => {
      const token = new Secret(ground.tokens[peer]);
      const channel = createGrpcChannel({ address: `127.0.0.1:${vault.grpcPort}`, token });
      channels.push(channel);
      return channel;
    },
    async [Symbol.asyncDispose]() {
      for (const channel of channels) channel.close();
      await vault[Symbol.asyncDispose]();
    },
  };
}

/** Before, a vault refuses every key: it cannot know yet whose it is. */
async function untilConfigurationIsSeen({ metricsPort }: Vault): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
    const { reasons } = (await response.json()) as { reasons: { redis?: string } };
    if (reasons.redis === undefined) return;
    await wait(10);
  }
}
