import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { makeCertificates } from '@glovebox/local/certificates';
import { type Child, spawnChild } from '@glovebox/local/child';
import { prepareDatabases } from '@glovebox/local/databases';
import { ensureKeyFile } from '@glovebox/local/key-file';
import { checkout } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';
import { startPostgres } from '@glovebox/local/postgres';
import { ensurePublicationKey } from '@glovebox/local/publication-key';
import { startRedis } from '@glovebox/local/redis';
import { type Environment, serviceEnvironments } from '@glovebox/local/service-env';
import { type ServiceName, portNames, serviceNames } from '@glovebox/local/service-names';
import { waitUntilReady } from '@glovebox/local/service-process';
import type { DevelopmentTenant } from '@glovebox/local/settings';

import { compileCache } from '../compile-cache.ts';
import { NamedAddresses } from '../named-addresses.ts';
import { until } from '../until.ts';
import { type Call, Edge } from './edge.ts';

const run = promisify(execFile);
const named = { 'token-vault': 'vaults.test', 'reactor-runner': 'runners.test' } as const;
type Named = keyof typeof named;
const isNamed = (service: ServiceName): service is Named => service in named;

/** One process of a service. */
export interface Instance {
  readonly service: ServiceName;
  /** The checkout that it runs from. */
  readonly tree: string;
  readonly child: Child;
  readonly metricsPort: number;
  /** Of a service that is called over gRPC: its own address of this machine. */
  readonly host: string;
  /** Of one that is called over HTTP. */
  readonly url: string;
}

/**
 * An installation whose services run from several checkouts side by side: its own Postgres and Redis, mutual TLS, and any
 * number of processes of each service, which are found as pods are found in a cluster.
 */
export class Installation implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #folder: string;
  readonly #environments: Readonly<Record<ServiceName, Environment>>;
  readonly #names: NamedAddresses;
  readonly #edge = new Edge();
  readonly #instances: Instance[] = [];
  /** Those whose addresses the names have. */
  readonly #found = new Set<Instance>();
  #started = 0;

  private constructor(
    stack: AsyncDisposableStack,
    folder: string,
    environments: Readonly<Record<ServiceName, Environment>>,
  ) {
    this.#stack = stack;
    this.#folder = folder;
    this.#environments = environments;
    this.#names = new NamedAddresses(join(folder, 'names.json'));
    for (const name of Object.values(named)) this.#names.set(name, []);
  }

  static async prepare(): Promise<Installation> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'glovebox-upgrade-'));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const starting = [startPostgres({ ephemeral: true }), startRedis({ ephemeral: true })] as const;
    for (const store of await Promise.allSettled(starting)) {
      if (store.status === 'fulfilled') stack.use(store.value);
    }
    const [postgres, redis] = await Promise.all(starting);
    const { urls } = await prepareDatabases({
      adminUrl: postgres.adminUrl,
      passwords: { control: 'of-control', vault: 'of-vault' },
      isPrivate: true,
    });
    const keyFile = join(folder, 'vault-key.json');
    ensureKeyFile(keyFile);
    const ports = Object.fromEntries(
      await Promise.all(portNames.map(async (name) => [name, await freePort()] as const)),
    );
    const environments = serviceEnvironments({
      ports: ports as Record<(typeof portNames)[number], number>,
      serviceTokens: Object.fromEntries(serviceNames.map((name) => [name, `token of ${name}`])) as Record<
        ServiceName,
        string
      >,
      databases: urls as { control: string; vault: string },
      redisUrl: redis.url,
      redisPrefix: 'glovebox',
      keyFile,
      publicationKey: ensurePublicationKey(join(folder, 'publication-key.pem')),
      certificates: await makeCertificates(folder),
      egressProfile: 'development',
      publicBaseUrl: 'http://localhost',
      logLevel: 'info',
      passedOn: { PATH: process.env['PATH'] ?? '' },
    });
    return new Installation(stack.move(), folder, environments);
  }

  /** Sends a request to one of the processes that serve its path, each in turn. */
  readonly call: Call = (method, path, sent) => this.#edge.call(method, path, sent);

  instancesOf(service: ServiceName): readonly Instance[] {
    return this.#instances.filter((instance) => instance.service === service);
  }

  /** Starts one more process of a service, and gives it calls once it is ready. */
  async start(service: ServiceName, tree: string): Promise<Instance> {
    const number = (this.#started += 1);
    const [httpPort, metricsPort] = await Promise.all([freePort(), freePort()]);
    const host = isNamed(service) ? `127.0.0.${40 + number}` : '127.0.0.1';
    const logFile = join(this.#folder, `${service}-${number}.log`);
    const child = await spawnChild({
      name: service,
      command: process.execPath,
      args: ['--conditions=source', join(tree, `services/${service}/src/main.ts`)],
      cwd: tree,
      env: {
        ...this.#environmentOf(service),
        ...(tree === checkout ? compileCache : {}),
        METRICS_PORT: String(metricsPort),
        ...(isNamed(service) ? { GRPC_HOST: host } : { HTTP_PORT: String(httpPort) }),
      },
      logFile,
      stopSignal: 'SIGTERM',
      graceMs: 15_000,
      ipc: true,
      rank: 3,
    });
    const url = `http://127.0.0.1:${httpPort}`;
    const instance = { service, tree, child, metricsPort, host, url };
    this.#instances.push(instance);
    // The first ones wait for each other.
    if (this.instancesOf(service).length === 1) this.#tellNames(service, instance);
    await waitUntilReady(child, `http://127.0.0.1:${metricsPort}/readyz`, logFile);
    await this.#join(instance);
    return instance;
  }

  /** Ends a process as a rolling update does: those that call it learn of it no earlier than it does itself. */
  async stop(instance: Instance): Promise<void> {
    const { service, child } = instance;
    this.#instances.splice(this.#instances.indexOf(instance), 1);
    if (service === 'control-api' || service === 'proxy-gateway')
      await this.#edge.remove(service, instance.url);
    const stopped = child.stop();
    this.#found.delete(instance);
    this.#tellNames(service);
    await stopped;
    const { code, signal } = await child.exited;
    if (code !== 0) throw new Error(`${service} did not end in order: ${signal ?? `exit ${code}`}`);
  }

  /** Whether a process has answered calls. */
  async hasServed({ service, url, metricsPort }: Instance): Promise<boolean> {
    if (!isNamed(service)) return this.#edge.answersOf(url) > 0;
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counted = text.matchAll(/^glovebox_(?:vault_calls|runner_runs)_total\{.*\} (\d+)$/gm);
    return [...counted].some(([, count]) => Number(count) > 0);
  }

  /** Runs a program of a service to its end: `migrate-main`, `cli`. Gives what it printed. */
  async program(
    tree: string,
    service: ServiceName,
    name: string,
    args: readonly string[] = [],
  ): Promise<string> {
    const module = join(tree, `services/${service}/src/${name}.ts`);
    const env = this.#environmentOf(service);
    return (await run(process.execPath, ['--conditions=source', module, ...args], { cwd: tree, env })).stdout;
  }

  async createTenant(tree: string): Promise<DevelopmentTenant> {
    const args = ['tenant', 'create', 'upgraded', '--development'];
    return JSON.parse(await this.program(tree, 'control-api', 'cli', args)) as DevelopmentTenant;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const service of serviceNames.toReversed()) {
      await Promise.all(this.instancesOf(service).map(({ child }) => child.stop()));
    }
    await this.#stack.disposeAsync();
  }

  #environmentOf(service: ServiceName): Environment {
    const portOf = (name: Named) => this.#environments[name]['GRPC_PORT'];
    const addressOf = (name: Named) => `${named[name]}:${portOf(name)}`;
    return {
      ...this.#environments[service],
      ...(service === 'token-vault' ? {} : { VAULT_ADDRESS: addressOf('token-vault') }),
      ...(isNamed(service) ? {} : { RUNNER_ADDRESS: addressOf('reactor-runner') }),
      ...(service === 'reactor-runner' ? { WORKERS: '1', ASYNC_WORKERS: '1' } : {}),
      NODE_OPTIONS: this.#names.nodeOptions,
    };
  }

  async #join(instance: Instance): Promise<void> {
    const { service, url } = instance;
    if (service === 'control-api' || service === 'proxy-gateway') return this.#edge.add(service, url);
    this.#tellNames(service, instance);
    const callers = this.#instances.filter((each) => callersOf[service].includes(each.service));
    const pids = callers.map(({ child }) => child.pid);
    await until(`all have heard of another ${service}`, () => this.#names.areKnownTo(pids, named[service]));
  }

  #tellNames(service: ServiceName, more?: Instance): void {
    if (!isNamed(service)) return;
    if (more !== undefined) this.#found.add(more);
    const found = this.instancesOf(service).filter((instance) => this.#found.has(instance));
    this.#names.set(
      named[service],
      found.map(({ host }) => host),
    );
  }
}

const callersOf: Readonly<Record<Named, readonly ServiceName[]>> = {
  'token-vault': ['reactor-runner', 'control-api', 'proxy-gateway'],
  'reactor-runner': ['control-api', 'proxy-gateway'],
};
