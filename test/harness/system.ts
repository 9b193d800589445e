import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DevFile } from '@glovebox/local/dev-file';
import { checkout, stateDirectory } from '@glovebox/local/places';
import { findRedisServer } from '@glovebox/local/redis-server';

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

/** A state directory of its own that shares the unpacked Redis with the checkout's. */
async function newStateDirectory(): Promise<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'glovebox-test-'));
  await findRedisServer(stateDirectory());
  const name = `redis-debian-${process.arch}`;
  const unpacked = join(stateDirectory(), name);
  if (existsSync(unpacked)) symlinkSync(unpacked, join(stateDir, name));
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
