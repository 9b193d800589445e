import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeCertificates } from '@glovebox/local/certificates';
import { prepareDatabases } from '@glovebox/local/databases';
import type { Program } from '@glovebox/local/debian-program';
import { ensureKeyFile } from '@glovebox/local/key-file';
import { startPostgres } from '@glovebox/local/postgres';
import { ensurePublicationKey } from '@glovebox/local/publication-key';
import { startRedis } from '@glovebox/local/redis';
import { runControlCli } from '@glovebox/local/service-cli';
import { type Environment, type System, serviceEnvironments } from '@glovebox/local/service-env';
import type { ServiceName } from '@glovebox/local/service-names';
import { type DevelopmentTenant, type Settings, loadSettings } from '@glovebox/local/settings';

import { compileCache } from './compile-cache.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { NamedAddresses } from './named-addresses.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { Instance } from './topology-instance.ts';

/** What every process is told of its end. As in deploy/k8s, with waits that are as much shorter as this balancer is quicker. */
export const drainDelayMs = 1000;
export const shutdownTimeoutMs = 20_000;

/** Several processes of every service over real stores, behind a balancer. */
export interface Topology extends AsyncDisposable {
  /** The balancer's. */
  readonly url: string;
  readonly tenant: DevelopmentTenant;
  readonly of: Readonly<Record<ServiceName, readonly Instance[]>>;
  /** Before both databases; undefined: services reach them directly. */
  readonly pooler: PgBouncer | undefined;
}

/** How many of each, beside each other on addresses of their own. */
const hosts: Readonly<Record<ServiceName, readonly string[]>> = {
  'token-vault': ['127.0.0.2', '127.0.0.3'],
  'reactor-runner': ['127.0.0.2', '127.0.0.3'],
  'control-api': ['127.0.0.2', '127.0.0.3'],
  'proxy-gateway': ['127.0.0.2', '127.0.0.3', '127.0.0.4'],
};

/** Of each database: fewer than one instance alone would take. */
const poolSize = 4;

/** A vault is ready when something is published, and who publishes when there is a vault. */
const waves = [['token-vault', 'control-api'], ['reactor-runner'], ['proxy-gateway']] as const;

/** @param pgbouncer before both databases, with a few connections to each; undefined: services reach them directly */
export async function startTopology(haproxy: Program, pgbouncer: Program | undefined): Promise<Topology> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'glovebox-topology-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const settings = await loadSettings(folder);
  const [postgres, redis] = await Promise.all([
    startPostgres({ ephemeral: true }),
    startRedis({ ephemeral: true }),
  ]);
  stack.use(postgres);
  stack.use(redis);
  const { urls } = await prepareDatabases({
    adminUrl: postgres.adminUrl,
    passwords: settings.databasePasswords,
    isPrivate: true,
  });
  const direct = urls as System['databases'];
  const pooler = pgbouncer && stack.use(await startPgBouncer(pgbouncer, Object.values(direct), poolSize));
  const databases = pooler && { control: pooler.url(direct.control), vault: pooler.url(direct.vault) };
  const system = {
    ...(await systemOf(folder, settings, databases ?? direct, redis.url)),
    directDatabases: databases && direct,
  };
  const of = instancesOf(folder, system);
  const all = Object.values(of).flat();
  stack.defer(async () => void (await Promise.all(all.map((instance) => instance.stop()))));
  // Not all at once: a runner's workers have only so long to start.
  for (const services of waves) {
    await Promise.all(services.flatMap((service) => of[service].map((instance) => instance.start())));
  }
  const tenant = JSON.parse(
    await runControlCli(system, ['tenant', 'create', 'topology', '--development']),
  ) as DevelopmentTenant;
  const balancer: Haproxy = stack.use(
    await startHaproxy(haproxy, {
      folder,
      checkMs: 100,
      backends: {
        'control-api': backendsOf(of, system, 'control-api'),
        'proxy-gateway': backendsOf(of, system, 'proxy-gateway'),
      },
    }),
  );
  const owned = stack.move();
  return { url: balancer.url, tenant, of, pooler, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function backendsOf(of: Topology['of'], { ports }: System, name: 'control-api' | 'proxy-gateway') {
  const [port, metricsPort] = [ports[name], ports[`${name}-metrics`]];
  return of[name].map(({ host }) => ({ host, port, metricsPort }));
}

async function systemOf(
  folder: string,
  settings: Settings,
  databases: System['databases'],
  redisUrl: string,
): Promise<System> {
  const keyFile = join(folder, 'vault-key.json');
  ensureKeyFile(keyFile);
  return {
    ports: settings.ports,
    serviceTokens: settings.serviceTokens,
    databases,
    redisUrl,
    redisPrefix: 'glovebox',
    keyFile,
    publicationKey: ensurePublicationKey(join(folder, 'publication-key.pem')),
    certificates: await makeCertificates(folder),
    egressProfile: 'development',
    publicBaseUrl: 'http://127.0.0.1',
    logLevel: 'warn',
    passedOn: { ...compileCache, PATH: process.env['PATH'] ?? '' },
  };
}

/** All of a service listen on the same ports, each on its own address, and are found by a name, as pods are. */
function instancesOf(folder: string, system: System): Topology['of'] {
  const names = new NamedAddresses(join(folder, 'names.json'));
  names.set('vaults.test', hosts['token-vault']);
  names.set('runners.test', hosts['reactor-runner']);
  const environments = serviceEnvironments(system);
  const everywhere = {
    NODE_ENV: 'production',
    NODE_OPTIONS: names.nodeOptions,
    VAULT_ADDRESS: `vaults.test:${system.ports['token-vault']}`,
    RUNNER_ADDRESS: `runners.test:${system.ports['reactor-runner']}`,
    SHUTDOWN_TIMEOUT_MS: String(shutdownTimeoutMs),
    DRAIN_DELAY_MS: String(drainDelayMs),
    // One is enough for what is asked here, and each is a process.
    WORKERS: '1',
    ASYNC_WORKERS: '1',
  };
  const make = (service: ServiceName): Instance[] =>
    hosts[service].map((host) => {
      const env: Environment = {
        ...environments[service],
        ...everywhere,
        HTTP_HOST: host,
        GRPC_HOST: host,
        METRICS_HOST: host,
      };
      const metricsPort = system.ports[`${service}-metrics`];
      return new Instance({
        service,
        host,
        metricsPort,
        env,
        logFile: join(folder, `${service}-${host}.log`),
      });
    });
  return {
    'token-vault': make('token-vault'),
    'reactor-runner': make('reactor-runner'),
    'control-api': make('control-api'),
    'proxy-gateway': make('proxy-gateway'),
  };
}
