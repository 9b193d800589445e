/**
 * What the watchdog does, in a process of its own, as isolates want it. Prints one line of JSON: how loops ended that
 * began after pauses of all lengths, and by how many MB the process has grown with calls of a long deadline.
 */
import { setTimeout } from 'node:timers/promises';

import { Library } from '../../src/sandbox/isolated-vm/library.ts';
import { UserIsolate } from '../../src/sandbox/isolated-vm/user-isolate.ts';
import { Watchdog } from '../../src/sandbox/isolated-vm/watchdog.ts';

const limits = {
  memoryMb: 64,
  cpuMs: 10_000,
  resultLength: 1e6,
  logLength: 100,
  logLines: 100,
  btRequestsAtOnce: 1,
  btRequestsPerCall: 1,
  btRequestBytes: 1,
};
const library = new Library(undefined, undefined);
const rounds = 60;
const calls = 300_000;

function isolateWith(watchdog: Watchdog, code: string): UserIsolate {
  const isolate = new UserIsolate(limits, library, watchdog);
  const failure = isolate.load(code, 10_000);
  if (failure !== undefined) throw new Error(JSON.stringify(failure));
  return isolate;
}

async function endings(): Promise<Record<string, number>> {
  const watchdog = new Watchdog({ tickMs: 1, drowsyTicks: 3 });
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const neighbour = isolateWith(watchdog, 'module.exports = () => 1;');
  for (let round = 0; round < rounds; round += 1) {
    const hostile = isolateWith(watchdog, 'module.exports = () => { for (;;); };');
    await setTimeout(round % 10);
    count(hostile.start('{}', 5)?.kind ?? 'nothing');
    hostile.dispose();
    count(neighbour.start('{}', 1000)?.kind ?? 'nothing');
  }
  return counts;
}

function grownMb(): number {
  const isolate = isolateWith(new Watchdog(), 'module.exports = () => 1;');
  const call = () => {
    if (isolate.start('{}', 30_000)?.kind !== 'returned') throw new Error('it has not returned');
  };
  for (let made = 0; made < 50_000; made += 1) call();
  const before = process.memoryUsage.rss();
  for (let made = 0; made < calls; made += 1) call();
  return (process.memoryUsage.rss() - before) / 1024 / 1024;
}

process.stdout.write(JSON.stringify({ endings: await endings(), grownMb: grownMb() }), () =>
  process.kill(process.pid, 'SIGKILL'),
);
