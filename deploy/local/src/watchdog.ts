import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

import { siblingModule } from './sibling-module.ts';

/** One process group that must not outlive its owner. */
export interface Guarded {
  /** The group's leader. */
  readonly pid: number;
  /** Asks the leader to stop; null if it notices its owner's end itself. */
  readonly signal: NodeJS.Signals | null;
  /** Time to stop before the whole group is killed. */
  readonly graceMs: number;
  /** Higher ranks end first: users of a database before the database. */
  readonly rank: number;
  /** Temporary files to remove afterwards. */
  readonly remove: readonly string[];
}

export type WatchdogMessage = { readonly guard: Guarded } | { readonly release: number };

const entries = new Map<number, Guarded>();
let watchdog: ChildProcess | undefined;

/** Ends the process group when this process ends in any way, until it is released. */
export function guard(entry: Guarded): void {
  entries.set(entry.pid, entry);
  tell({ guard: entry });
}

export function release(pid: number): void {
  if (entries.delete(pid)) tell({ release: pid });
}

/** The watchdog's process id; undefined while nothing has needed one yet. */
export function watchdogPid(): number | undefined {
  return watchdog?.pid;
}

function tell(message: WatchdogMessage): void {
  if (watchdog === undefined) {
    watchdog = start();
    for (const entry of entries.values()) write(watchdog, { guard: entry });
  } else {
    write(watchdog, message);
  }
}

function start(): ChildProcess {
  // A session of its own: signals to the owner's process group don't reach it.
  const child = spawn(process.execPath, [siblingModule(import.meta.url, 'watchdog-main')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    cwd: '/',
    env: {},
  });
  child.stdin?.on('error', () => {});
  child.on('error', () => {});
  child.once('exit', () => {
    watchdog = undefined;
    const [first] = entries.values();
    if (first !== undefined) tell({ guard: first });
  });
  // It must not keep its owner's event loop alive.
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}

function write(child: ChildProcess, message: WatchdogMessage): void {
  child.stdin?.write(`${JSON.stringify(message)}\n`);
}
