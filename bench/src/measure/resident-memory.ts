import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process now, in bytes. */
export const residentBytes = (pid: number): number => readStatus(pid, 'VmRSS');

/** The most that it had since `forgetPeak`, in bytes. */
export const peakBytes = (pid: number): number => readStatus(pid, 'VmHWM');

/** proc(5), /proc/pid/clear_refs: 5 sets the peak to what is resident now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function readStatus(pid: number, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status tells no ${field}`);
  return Number(kilobytes) * 1024;
}
