import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

import { checkout } from '@glovebox/local/places';
import type { Environment } from '@glovebox/local/service-env';
import type { ServiceName } from '@glovebox/local/service-names';

import { until } from './until.ts';

export interface InstanceOptions {
  readonly service: ServiceName;
  /** An address of this machine that is its own. */
  readonly host: string;
  readonly metricsPort: number;
  readonly env: Environment;
  readonly logFile: string;
}

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly tookMs: number;
}

/** One process of a service, which can be ended and started again at the same address. */
export class Instance {
  readonly service: ServiceName;
  readonly host: string;
  readonly #options: InstanceOptions;
  #child: ChildProcess | undefined;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.service = options.service;
    this.host = options.host;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const { service, env, logFile } = this.#options;
    const log = openSync(logFile, 'a');
    this.#child = spawn(process.execPath, ['--conditions=source', `services/${service}/src/main.ts`], {
      cwd: checkout,
      env,
      // By the channel it notices the end of the tests.
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    await until(`${service} at ${this.host} is ready`, () => this.#isReady(), 60_000).catch(
      (cause: unknown) => {
        throw new Error(`its log ends with ${readFileSync(logFile, 'utf8').slice(-2000)}`, { cause });
      },
    );
  }

  /** Ends it at once, whatever is under way. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks it to stop and waits until it has. */
  async stop(): Promise<End> {
    return this.#end('SIGTERM');
  }

  async #end(asked: NodeJS.Signals): Promise<End> {
    const child = this.#child;
    if (child === undefined) return { code: 0, signal: null, tookMs: 0 };
    const from = Date.now();
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill(asked);
      await exited;
    }
    this.#child = undefined;
    return { code: child.exitCode, signal: child.signalCode, tookMs: Date.now() - from };
  }

  /** The sum of a metric over all its labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(this.#url('/metrics'))).text();
    const lines = text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  async #isReady(): Promise<boolean> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) throw new Error(`${this.service} has ended`);
    return (await fetch(this.#url('/readyz')).catch(() => undefined))?.ok === true;
  }

  #url(path: string): string {
    return `http://${this.host}:${this.#options.metricsPort}${path}`;
  }
}
