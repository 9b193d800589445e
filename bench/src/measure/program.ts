import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that the bench has started. Disposing it ends it. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
}

export interface ProgramOptions {
  readonly command: readonly string[];
  /** Default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Gets its standard output and error. */
  readonly logFile: string;
  /** Resolves when the program can serve; asked again until it is true. */
  ready(): Promise<boolean>;
}

/** A warm-up on a busy machine takes long. */
const patienceMs = 180_000;

/** Starts a program and waits until it can serve. @throws Error when it ends or takes too long before that. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const [file = '', ...args] = options.command;
  const log = openSync(options.logFile, 'a');
  const child = spawn(file, args, {
    stdio: ['ignore', log, log],
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  closeSync(log);
  const end = async () => endOf(child);
  const failed = once(child, 'error').then(([error]) => error as Error);
  const deadline = Date.now() + patienceMs;
  while (!(await options.ready())) {
    const error = await Promise.race([failed, delay(20)]);
    const exited = child.exitCode !== null || child.signalCode !== null;
    if (error === undefined && !exited && Date.now() < deadline) continue;
    await end();
    throw new Error(`${options.command.join(' ')} did not start; see ${options.logFile}`, { cause: error });
  }
  return { pid: child.pid!, [Symbol.asyncDispose]: end };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(force);
}

/** Whether somebody listens on that port of 127.0.0.1. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
