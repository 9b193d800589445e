/**
 * Outlives the process that started it just long enough to end its children. Its standard input is a pipe from its
 * owner: one JSON line per child to guard or to release. The kernel closes the pipe when the owner ends, even by
 * SIGKILL; only then does this process act.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { identify, isAlive, sendSignal } from './processes.ts';
import type { Guarded, WatchdogMessage } from './watchdog.ts';

const guarded = new Map<number, Guarded>();

// A Ctrl-C or a `kill` of the owner must not end the process that cleans up after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message: WatchdogMessage = JSON.parse(line);
    if ('guard' in message) guarded.set(message.guard.pid, message.guard);
    else guarded.delete(message.release);
  })
  .on('close', () => void endAll());

async function endAll(): Promise<void> {
  const ranks = Map.groupBy(guarded.values(), (entry) => entry.rank);
  for (const rank of [...ranks.keys()].toSorted((a, b) => b - a)) {
    await Promise.all((ranks.get(rank) ?? []).map(end));
  }
}

async function end(entry: Guarded): Promise<void> {
  const leader = identify(entry.pid);
  if (entry.signal !== null) sendSignal(entry.pid, entry.signal);
  const deadline = Date.now() + entry.graceMs;
  while (isAlive(leader) && Date.now() < deadline) await delay(20);
  sendSignal(-entry.pid, 'SIGKILL');
  for (const path of entry.remove) await rm(path, { recursive: true, force: true, maxRetries: 5 });
}
