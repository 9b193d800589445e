import { spawn } from 'node:child_process';
import { close, open } from 'node:fs';
import { promisify } from 'node:util';

import { StartProblem } from './problem.ts';
import { sendSignal } from './processes.ts';
import { guard, release } from './watchdog.ts';

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The user that it runs as, if another than this process's. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Gets stdout and stderr, appended. Absent: they are dropped. */
  readonly logFile?: string | undefined;
  readonly stopSignal: NodeJS.Signals;
  /** Time between the stop signal and SIGKILL. */
  readonly graceMs: number;
  /** Gives the child an IPC channel. Its end tells the child that its owner is gone. */
  readonly ipc?: boolean;
  /** See `Guarded.rank`. */
  readonly rank: number;
  /** Removed when the child has ended after this process died. */
  readonly temporary?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Never rejects. */
  readonly exited: Promise<Exit>;
  hasExited(): boolean;
  /** Stops it, by force after its grace period. May be called again, also after its end. */
  stop(): Promise<void>;
}

const openFile = promisify(open);
const closeFile = promisify(close);

/**
 * Starts a process in a session of its own, so that a Ctrl-C in the terminal reaches only its owner, who then
 * stops all in order; and guarded, so that it ends with its owner even if that is killed.
 *
 * @throws StartProblem when the command can't be run at all.
 */
export async function spawnChild(options: ChildOptions): Promise<Child> {
  const log = options.logFile === undefined ? 'ignore' : await openFile(options.logFile, 'a', 0o600);
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', log, log, ...(options.ipc ? (['ipc'] as const) : [])],
    env: options.env,
    cwd: options.cwd ?? '/',
    ...options.account,
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const spawned = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  try {
    await spawned;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(
      `${options.name} can't be run: ${reason}`,
      'Is the installation complete? Try `npm ci`.',
    );
  } finally {
    if (typeof log === 'number') await closeFile(log);
  }
  const pid = child.pid!;
  guard({
    pid,
    signal: options.ipc ? null : options.stopSignal,
    graceMs: options.graceMs,
    rank: options.rank,
    remove: options.temporary ?? [],
  });
  // The rest of its group ends with it: worker processes must not live on unattended.
  void exited.then(() => {
    sendSignal(-pid, 'SIGKILL');
    release(pid);
  });
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  return {
    name: options.name,
    pid,
    exited,
    hasExited,
    async stop() {
      if (!hasExited()) sendSignal(pid, options.stopSignal);
      const force = setTimeout(() => sendSignal(-pid, 'SIGKILL'), options.graceMs);
      await exited;
      clearTimeout(force);
    },
  };
}
