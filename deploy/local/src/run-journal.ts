import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { type ProcessIdentity, identify, isAlive, sendSignal } from './processes.ts';
import type { System } from './service-env.ts';
import { watchdogPid } from './watchdog.ts';

/** What runs now, `.glovebox/run.json`: for the tools beside `npm start`, and for the next start after a crash. */
export interface RunJournal {
  readonly supervisor: ProcessIdentity;
  readonly watchdog: ProcessIdentity | null;
  readonly children: readonly ProcessIdentity[];
  /** Absent until the stores are up. */
  readonly system?: System;
}

export function writeJournal(stateDir: string, pids: readonly number[], system?: System): void {
  const watchdog = watchdogPid();
  const journal: RunJournal = {
    supervisor: identify(process.pid),
    watchdog: watchdog === undefined ? null : identify(watchdog),
    children: pids.map(identify),
    ...(system === undefined ? {} : { system }),
  };
  writePrivateJson(fileOf(stateDir), journal);
}

export function removeJournal(stateDir: string): void {
  rmSync(fileOf(stateDir), { force: true });
}

/** The journal of the system that runs at this moment, if one does. */
export function readRunning(stateDir: string): RunJournal | undefined {
  const journal = readPrivateJson(fileOf(stateDir)) as RunJournal | undefined;
  return journal !== undefined && isAlive(journal.supervisor) ? journal : undefined;
}

/**
 * Waits until nothing of an earlier run is left, and ends processes without an owner. Only for the holder of the
 * instance lock.
 */
export async function endLeftovers(stateDir: string, patienceMs = 20_000): Promise<void> {
  const journal = readPrivateJson(fileOf(stateDir)) as RunJournal | undefined;
  if (journal === undefined) return;
  const deadline = Date.now() + patienceMs;
  if (journal.watchdog !== null) await waitForEnd([journal.watchdog], deadline);
  const left = journal.children.filter(isAlive);
  for (const child of left) sendSignal(child.pid, 'SIGINT');
  await waitForEnd(left, deadline);
  for (const child of left.filter(isAlive)) sendSignal(-child.pid, 'SIGKILL');
  removeJournal(stateDir);
}

async function waitForEnd(processes: readonly ProcessIdentity[], deadline: number): Promise<void> {
  while (processes.some(isAlive) && Date.now() < deadline) await delay(20);
}

function fileOf(stateDir: string): string {
  return join(stateDir, 'run.json');
}
