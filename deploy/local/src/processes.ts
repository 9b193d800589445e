import { readFileSync, readdirSync } from 'node:fs';

/** Identifies a process also later: its id alone may have passed to another one. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot; null where the system doesn't say. */
  readonly startedAt: string | null;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, startedAt: readStat(pid)?.startedAt ?? null };
}

/** Whether this process still runs. A zombie does not. */
export function isAlive(process: ProcessIdentity): boolean {
  const stat = readStat(process.pid);
  if (stat === undefined) return process.startedAt === null && accepts(process.pid);
  return !'ZX'.includes(stat.state) && (process.startedAt ?? stat.startedAt) === stat.startedAt;
}

/** Sends a signal; to a process group when the id is negative. False when nothing gets it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The running children of a process. */
export function childrenOf(parent: number): number[] {
  return listDirectory('/proc').filter((pid) => {
    const stat = readStat(pid);
    return stat?.parent === parent && !'ZX'.includes(stat.state);
  });
}

/** Undefined where the system doesn't say. */
export function parentOf(pid: number): number | undefined {
  return readStat(pid)?.parent;
}

function listDirectory(path: string): number[] {
  try {
    return readdirSync(path)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** proc(5), /proc/pid/stat: after the command in brackets come state, parent, …, start time as the 22nd field. */
function readStat(pid: number): { state: string; parent: number; startedAt: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function accepts(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
