import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { postgresAccount } from '@glovebox/local/account';
import type { DevFile } from '@glovebox/local/dev-file';
import { checkout, createStateDirectory, reachableDirectory, stateDirectory } from '@glovebox/local/places';
import { findPostgresBinaries } from '@glovebox/local/postgres-binaries';
import { clusterTemplate } from '@glovebox/local/postgres-template';
import { findRedisServer } from '@glovebox/local/redis-server';
import { loadSettings, saveSettings } from '@glovebox/local/settings';

import { compileCache } from './compile-cache.ts';
import { until } from './until.ts';

/** The whole system as `npm start` runs it: real processes, Postgres and Redis. */
export interface System extends AsyncDisposable {
  /** What tools may rely on (docs/local.md#the-file-devjson); read anew each time. */
  readonly dev: DevFile;
  readonly stateDir: string;
  /** The process that `npm start` started. */
  readonly process: ChildProcess;
  /** What it printed so far, both streams. */
  readonly output: string;
  /** Ends it as Ctrl-C does, and resolves when it is gone; its data stays. */
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Added to the environment of `npm start`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of an earlier system, to find its data again. Default: a new one, removed at the end. */
  readonly stateDir?: string;
}

/** Starts a system on a free port and waits until it is ready. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const stateDir = options.stateDir ?? (await newStateDirectory());
  const child = spawn(process.execPath, ['--conditions=source', 'deploy/local/src/start.ts'], {
    cwd: checkout,
    env: {
      PATH: process.env['PATH'],
      ...compileCache,
      PORT: '0',
      ...options.env,
      GLOVEBOX_STATE_DIR: stateDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const note = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const devFile = join(stateDir, 'dev.json');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
    await ended;
  };
  const dispose = async () => {
    await stop();
    if (options.stateDir === undefined) await rm(stateDir, { recursive: true, force: true });
  };
  try {
    await until('the system is ready', () => child.exitCode !== null || existsSync(devFile), 60_000);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
  } catch (cause) {
    await dispose();
    throw new Error(`the system did not start. It printed:\n${output}`, { cause });
  }
  return {
    get dev() {
      return JSON.parse(readFileSync(devFile, 'utf8')) as DevFile;
    },
    stateDir,
    process: child,
    get output() {
      return output;
    },
    stop,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * A state directory of its own, with the programs, the compiled code and the empty Postgres cluster that all tests share: to
 * make them anew would take more time than everything else that a start does.
 */
async function newStateDirectory(): Promise<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'glovebox-test-'));
  const settings = await loadSettings(stateDir);
  createStateDirectory(stateDirectory());
  await findRedisServer(stateDirectory());
  const share = (name: string, path: string) => existsSync(path) && symlinkSync(path, join(stateDir, name));
  share(`redis-debian-${process.arch}`, join(stateDirectory(), `redis-debian-${process.arch}`));
  share('compile-cache', process.env['NODE_COMPILE_CACHE'] ?? '');
  const account = postgresAccount();
  const home = reachableDirectory(stateDirectory(), account);
  const postgres = await findPostgresBinaries(home);
  if (postgres.source === 'embedded') {
    const folder = dirname(postgres.directory);
    share(basename(folder), folder);
  }
  if (reachableDirectory(stateDir, account) === stateDir) {
    const { password, copyTo } = await clusterTemplate(home, postgres, account);
    await copyTo(join(stateDir, 'postgres'));
    saveSettings(stateDir, { ...settings, postgresPassword: password });
  }
  return stateDir;
}

let shared: Promise<System> | undefined;

/** One system for all tests that leave it as they found it. `stopSharedSystem` ends it after the run. */
export function sharedSystem(): Promise<System> {
  shared ??= startSystem();
  return shared;
}

export async function stopSharedSystem(): Promise<void> {
  await (await shared)?.[Symbol.asyncDispose]();
}
