import { readFileSync } from 'node:fs';

import { type ProcessIdentity, identify, isAlive, parentOf } from './processes.ts';

const pollMs = 500;
/** One Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const sameRequestMs = 1_000;

/**
 * Fires when this process should stop: by Ctrl-C, `kill`, a closed terminal, or the end of the npm that started it (a
 * SIGKILL of npm alone sends no signal). A second request ends the process at once; the watchdog then ends the rest.
 */
export function stopSignal(onStop: (reason: string) => void): AbortSignal {
  const stop = new AbortController();
  let requestedAt: number | undefined;
  const request = (reason: string) => {
    if (requestedAt === undefined) {
      requestedAt = performance.now();
      stop.abort();
      onStop(reason);
    } else if (performance.now() - requestedAt > sameRequestMs) {
      process.exit(1);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, request);
  const npm = npmProcesses();
  const poll = setInterval(() => {
    if (npm.every(isAlive)) return;
    clearInterval(poll);
    request('npm has ended');
  }, pollMs);
  poll.unref();
  return stop.signal;
}

/** The npm that runs this script, and the shell that it may have put in between. */
function npmProcesses(): ProcessIdentity[] {
  if (process.env['npm_lifecycle_event'] === undefined) return [];
  const parent = process.ppid;
  const npm = isShell(parent) ? parentOf(parent) : undefined;
  return [parent, ...(npm === undefined ? [] : [npm])].map(identify);
}

function isShell(pid: number): boolean {
  try {
    return ['sh', 'dash', 'bash'].includes(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return false;
  }
}
