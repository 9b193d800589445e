import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { type RunningRedis, startRedis } from '@glovebox/local/redis';
import { Secret } from '@glovebox/platform/values/secret';
import pg from 'pg';

import { MigratedDatabases } from '../../../../test/harness/migrated-databases.ts';
import { testPublication, testPublicationKeyFile } from '../../../../test/harness/test-publication.ts';
import type { ControlConfig } from '../../src/config.ts';
import { defaultInputLimits } from '../../src/limits/input-limits.ts';
import { schema } from '../../src/migrations.ts';
import { startedRunner } from './runner.ts';

interface Stores {
  readonly postgres: RunningPostgres;
  readonly redis: RunningRedis;
  readonly migrated: MigratedDatabases;
}

let stores: Promise<Stores> | undefined;

/** One server each for all test files of a run. */
export function startedStores(): Promise<Stores> {
  stores ??= Promise.all([startPostgres({ ephemeral: true }), startRedis({ ephemeral: true })]).then(
    ([postgres, redis]) => ({
      postgres,
      redis,
      migrated: new MigratedDatabases(postgres, schema),
    }),
  );
  return stores;
}

after(async () => {
  if (stores === undefined) return;
  const { postgres, redis } = await stores;
  await Promise.all([postgres.stop(), redis.stop()]);
});

let installations = 0;

/** A database of its own that is up to date and holds nothing, and a prefix of its own in Redis. */
export async function newInstallation(): Promise<ControlConfig> {
  const { postgres, migrated } = await startedStores();
  const name = nextName();
  const serviceUrl = await migrated.create(name);
  // The copies share an id, and two installations must not.
  await inDatabase(postgres.url(name), 'UPDATE installation SET id = gen_random_uuid()');
  return { ...(await configOf(name)), databaseUrl: new Secret(serviceUrl) };
}

/** The same with an empty database. */
export async function emptyInstallation(): Promise<ControlConfig> {
  const { postgres } = await startedStores();
  const name = nextName();
  await inDatabase(postgres.adminUrl, `CREATE DATABASE ${name}`);
  return configOf(name);
}

const nextName = () => `control_${process.pid}_${++installations}`;

async function configOf(name: string): Promise<ControlConfig> {
  const { postgres, redis } = await startedStores();
  const serviceToken = new Secret('control-token');
  const runner = await startedRunner(serviceToken, redis.url);
  return {
    logLevel: 'silent',
    databaseUrl: new Secret(postgres.url(name)),
    directUrl: new Secret(''),
    migrationUrl: new Secret(''),
    redisUrl: new Secret(redis.url),
    redisPrefix: name,
    redisIsCluster: false,
    redisWaitReplicas: 0,
    httpHost: '127.0.0.1',
    httpPort: 0,
    metricsHost: '127.0.0.1',
    metricsPort: 0,
    drainDelayMs: 0,
    shutdownTimeoutMs: 15_000,
    serviceToken,
    signIn: {
      consoleUrl: 'http://localhost:8080/console',
      withKeys: true,
      grants: [],
      provider: undefined,
    },
    vaultAddress: '127.0.0.1:1',
    runnerAddress: runner.address,
    grpcTls: undefined,
    egressProfile: 'strict',
    egressAllowHosts: [],
    urlLength: 400,
    trustedHops: 0,
    inputLimits: defaultInputLimits,
    expiring: { perCreator: 10_000, rulesLength: 16_384 },
    publication: { keyFile: testPublicationKeyFile(), publicKeys: testPublication.publicKeys },
    waitingEvents: 10_000,
    rateLimits: { windowMs: 10_000, perKey: 0, perTenant: 0 },
    idempotency: { retentionMs: 86_400_000, maxAnswerBytes: 1_048_576 },
    logRetention: { days: 0, intervalMs: 60_000 },
    resealing: { intervalMs: 60 * 60_000 },
    erasure: { intervalMs: 1000, settleMs: 15_000 },
    aliases: true,
    docsUrl: 'http://localhost/docs',
  };
}

/** As the superuser. @param url of the database, by any role */
export async function inDatabase<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { postgres } = await startedStores();
  const database = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: postgres.url(database) });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
