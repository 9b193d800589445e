import { readFileSync } from 'node:fs';

import type { TestRunner } from './runner.ts';
import { until } from './until.ts';

const resultLength = 100_000;

/** The process that serves a tenant: the one that has sent what the tenant's code has returned. */
export async function workerOf(runner: TestRunner, tenant: string): Promise<number> {
  await until('a spare worker is ready', async () => (await workersBy(runner, 'spare')) === 1);
  const before = runner.workers().map((pid) => ({ pid, bytes: bytesWritten(pid) }));
  await runner.run(`module.exports = () => 'x'.repeat(${resultLength});`, {}, { tenant });
  const senders = before.filter(({ pid, bytes }) => bytesWritten(pid) - bytes >= resultLength);
  const [sender] = senders;
  if (sender === undefined || senders.length > 1) throw new Error(`${senders.length} workers have sent it`);
  return sender.pid;
}

/** Ready workers that are in a state, by the runner's own metrics. */
export async function workersBy(
  runner: TestRunner,
  state: 'serving' | 'retiring' | 'spare',
): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${runner.metricsPort}/metrics`)).text();
  return Number(
    new RegExp(`^glovebox_runner_workers\\{state="${state}".*\\} (\\d+)$`, 'm').exec(metrics)?.[1],
  );
}

/** To files and sockets, proc(5); 0 for a process that is gone. */
function bytesWritten(pid: number): number {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}
