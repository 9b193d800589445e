import { execFileSync } from 'node:child_process';

/** The worker processes among the children of a process. */
export function workersOf(parent: number): number[] {
  return listProcesses()
    .filter(({ ppid, args }) => ppid === parent && args.includes('/sandbox/worker/worker.'))
    .map(({ pid }) => pid);
}

/** Whether a process runs; one that has ended and waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  return listProcesses().some((process) => process.pid === pid);
}

function listProcesses(): { pid: number; ppid: number; args: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null || match[3]?.startsWith('Z')) return [];
    return [{ pid: Number(match[1]), ppid: Number(match[2]), args: match[4] ?? '' }];
  });
}
