import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Where things run: what is measured alone on one core, all else on another. */
export interface Cores {
  /** Puts a command on the measured core. */
  measured(command: readonly string[]): readonly string[];
  readonly description: string;
}

/**
 * Moves this process, and with it all that it starts, off the core that is kept for what is measured. Without two
 * cores or without `taskset` (util-linux) nothing is moved, and the description says so.
 */
export function divideCores(): Cores {
  const [first, second] = allowedCores();
  if (first === undefined || second === undefined) return shared('this machine has only one core for us');
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(second), String(process.pid)], { stdio: 'pipe' });
  } catch {
    return shared('taskset (Debian package util-linux) is missing');
  }
  return {
    measured: (command) => ['taskset', '-c', String(first), ...command],
    description: `what is measured on core ${first}; load, destination, vault and Postgres on core ${second}`,
  };
}

/** Nothing is moved: what is measured are several processes, which work at the same time. */
export function allCores(): Cores {
  return { measured: (command) => command, description: 'all of the system on all cores' };
}

function shared(reason: string): Cores {
  return { measured: (command) => command, description: `NOT on separate cores: ${reason}` };
}

/** proc(5), /proc/pid/status: ranges such as `0-1,4`. */
function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}
