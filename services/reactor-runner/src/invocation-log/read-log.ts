import type { LogEntry } from '../worker-protocol/outcome.ts';

/** No runner logs more: ten times its own limit, and one that says what was cut. */
const maxEntries = 10_001;
const maxTime = 8.64e15;

/** The valid entries of a log that a worker process sent. */
export function readLog(log: Buffer): LogEntry[] {
  if (log.length === 0) return [];
  const entries = parse(log.toString());
  return Array.isArray(entries) ? entries.slice(0, maxEntries).filter(isEntry) : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(entry: unknown): entry is LogEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { time, level, text }: { [member in keyof LogEntry]?: unknown } = entry;
  const isTime = typeof time === 'number' && Math.abs(time) <= maxTime;
  return isTime && (level === 'info' || level === 'error') && typeof text === 'string';
}
