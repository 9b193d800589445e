import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Child, spawnChild } from './child.ts';
import { checkout } from './places.ts';
import { StartProblem } from './problem.ts';
import type { Environment } from './service-env.ts';

export interface ServiceProcessOptions {
  readonly name: string;
  /** The module to run, absolute or from the checkout. */
  readonly module: string;
  readonly env: Environment;
  readonly logFile: string;
  /** Starts it again whenever one of its source files changes. */
  readonly watch?: boolean;
  /** See `Guarded.rank`. */
  readonly rank?: number;
}

/** Starts a Node program of ours from its sources, with exactly the given environment. */
export function startServiceProcess(options: ServiceProcessOptions): Promise<Child> {
  const watch = options.watch ?? false;
  return spawnChild({
    name: options.name,
    command: process.execPath,
    args: [
      '--conditions=source',
      ...(watch ? ['--watch', '--watch-preserve-output'] : []),
      join(checkout, options.module),
    ],
    env: options.env,
    cwd: checkout,
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
    // Under --watch the channel would end at the watcher, not at the service.
    ipc: !watch,
    rank: options.rank ?? 3,
  });
}

/**
 * Waits until a service is ready.
 * @throws StartProblem when it ends, or takes too long, before that; AbortError when `signal` fires
 */
export async function waitUntilReady(
  child: Child,
  url: string,
  logFile: string,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const deadline = Date.now() + (options.timeoutMs ?? 60_000);
  let last = 'no answer';
  while (!child.hasExited() && Date.now() < deadline) {
    options.signal?.throwIfAborted();
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      const body = await answer.text();
      if (answer.ok) return;
      last = body.trim();
    } catch {
      // Not listening yet.
    }
    await delay(100);
  }
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const lines = log.trimEnd().split('\n').slice(-12).join('\n    ');
  throw new StartProblem(
    child.hasExited()
      ? `${child.name} ended before it was ready\n    ${lines}`
      : `${child.name} did not become ready: ${last}`,
    `Its log is ${logFile}.`,
  );
}
