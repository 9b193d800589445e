import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { Secret } from '@glovebox/platform/values/secret';
import pg from 'pg';

import type { ControlConfig } from '../../src/config.ts';
import { defaultInputLimits } from '../../src/limits/input-limits.ts';
import { startedRunner } from './runner.ts';

interface Stores {
  readonly postgres: RunningPostgres;
  readonly redis: RunningRedis;
}

let stores: Promise<Stores> | undefined;

/** One server each for all test files of a run. */
export function startedStores(): Promise<Stores> {
  stores ??= Promise.all([startPostgres({ ephemeral: true }), startRedis({ ephemeral: true })]).then(
    ([postgres, redis]) => ({ postgres, redis }),
  );
  return stores;
}

after(async () => {
  if (stores === undefined) return;
  const { postgres, redis } = await stores;
  await Promise.all([postgres.stop(), redis.stop()]);
});

let installations = 0;

/** An empty database of its own, and a prefix of its own in Redis. */
export async function newInstallation(): Promise<ControlConfig> {
  const { postgres, redis } = await startedStores();
  const name = `control_${process.pid}_${++installations}`;
  await inDatabase(postgres.adminUrl, `CREATE DATABASE ${name}`);
  const serviceToken = new Secret('control-token');
  const runner = await startedRunner(serviceToken, redis.url);
  return {
    logLevel: 'silent',
    databaseUrl: new Secret(postgres.url(name)),
    redisUrl: new Secret(redis.url),
    redisPrefix: name,
    httpHost: '127.0.0.1',
    httpPort: 0,
    metricsHost: '127.0.0.1',
    metricsPort: 0,
    drainDelayMs: 0,
    shutdownTimeoutMs: 5000,
    serviceToken,
    vaultAddress: '127.0.0.1:1',
    runnerAddress: runner.address,
    grpcTls: undefined,
    egressProfile: 'strict',
    egressAllowHosts: [],
    urlLength: 400,
    inputLimits: defaultInputLimits,
    expiring: { perCreator: 10_000, rulesLength: 16_384 },
    waitingEvents: 10_000,
    rateLimits: { windowMs: 10_000, perKey: 0, perTenant: 0 },
    idempotency: { retentionMs: 86_400_000, maxAnswerBytes: 1_048_576 },
    logRetention: { days: 0, intervalMs: 60_000 },
    aliases: true,
    docsUrl: 'http://localhost/docs',
  };
}

export async function inDatabase<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
