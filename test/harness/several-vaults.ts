import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { freePort } from '@glovebox/local/ports';
import { readRunning } from '@glovebox/local/run-journal';
import { type Environment, serviceEnvironments } from '@glovebox/local/service-env';

import { NamedAddresses } from './named-addresses.ts';
import type { System } from './system.ts';
import { until } from './until.ts';

const nameOfVaults = 'vaults.test';

/**
 * A system with vaults at several addresses of this machine, and a gateway that finds them by a name, as pods are found in a
 * cluster. All are real processes with the system's own settings and stores.
 */
export class SeveralVaults implements AsyncDisposable {
  readonly #environments: ReturnType<typeof serviceEnvironments>;
  readonly #processes = new Map<string, { child: ChildProcess; metricsPort: number }>();
  readonly #names: NamedAddresses;
  #gatewayPort = 0;

  constructor(system: System) {
    const running = readRunning(system.stateDir)?.system;
    if (running === undefined) throw new Error('the system does not run');
    this.#environments = serviceEnvironments(running);
    this.#names = new NamedAddresses(join(system.stateDir, 'names.json'));
  }

  get gatewayUrl(): string {
    return `http://127.0.0.1:${this.#gatewayPort}`;
  }

  /** Says which addresses the name of the vaults has from now on. */
  name(hosts: readonly string[]): void {
    this.#names.set(nameOfVaults, hosts);
  }

  async startVault(host: string): Promise<void> {
    const { GRPC_PORT = '' } = this.#environments['token-vault'];
    await this.#start('token-vault', host, { GRPC_HOST: host, GRPC_PORT });
  }

  async startGateway(): Promise<void> {
    this.#gatewayPort = await freePort();
    const { GRPC_PORT } = this.#environments['token-vault'];
    await this.#start('proxy-gateway', 'gateway', {
      HTTP_PORT: String(this.#gatewayPort),
      VAULT_ADDRESS: `${nameOfVaults}:${GRPC_PORT}`,
      NODE_OPTIONS: this.#names.nodeOptions,
    });
  }

  /** Calls that each vault has answered so far, in the order of the addresses. */
  async calls(hosts: readonly string[]): Promise<number[]> {
    return await Promise.all(
      hosts.map(async (host) => {
        const lines = (await this.#metrics(host)).matchAll(/^glovebox_vault_calls_total\{.*\} (\d+)$/gm);
        return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );
  }

  /** Vaults that the gateway has a stream to. */
  async vaultsOfGateway(): Promise<number> {
    return Number(/^glovebox_vault_servers\{.*\} (\d+)$/m.exec(await this.#metrics('gateway'))?.[1]);
  }

  async stop(name: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this.#processes.get(name) ?? {};
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of [...this.#processes.keys()].toReversed()) await this.stop(name, 'SIGTERM');
  }

  async #start(service: 'token-vault' | 'proxy-gateway', name: string, own: Environment): Promise<void> {
    const metricsPort = await freePort();
    const child = spawn(process.execPath, ['--conditions=source', `services/${service}/src/main.ts`], {
      cwd: checkout,
      env: { ...this.#environments[service], METRICS_PORT: String(metricsPort), ...own },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#processes.set(name, { child, metricsPort });
    const isReady = async () =>
      (await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined))?.ok === true;
    await until(`${name} is ready`, isReady, 60_000);
  }

  async #metrics(name: string): Promise<string> {
    const { metricsPort } = this.#processes.get(name) ?? {};
    return await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  }
}
