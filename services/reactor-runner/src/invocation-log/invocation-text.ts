import { failureError } from '../replies/failure-error.ts';
import { parseThrown } from '../replies/thrown.ts';
import { type LogEntry, type Outcome, userFile } from '../worker-protocol/outcome.ts';
import type { LoggedInvocation } from './invocation.ts';

/** An invocation as the API shows it, as JSON text. It may contain any secret. */
export function invocationText({ log, ...invocation }: LoggedInvocation): string {
  const { id, owner, correlationId, endedAt, durationMs, outcome, problem } = invocation;
  return JSON.stringify({
    id,
    correlation_id: correlationId,
    started_at: new Date(endedAt - durationMs).toISOString(),
    duration_ms: durationMs,
    outcome: problem === undefined ? outcome.kind : 'unusable_result',
    side: owner.side,
    error: problem === undefined ? errorOf(outcome) : { message: problem },
    log: parseLog(log),
  });
}

const maxMessageLength = 2000;
const maxFrames = 20;
const maxFrameLength = 300;

function errorOf(outcome: Outcome): object | undefined {
  if (outcome.kind === 'returned') return undefined;
  if (outcome.kind !== 'threw') {
    const [message] = Object.values(failureError(outcome).errors).flat();
    return { message: message?.slice(0, maxMessageLength) };
  }
  const { name, message, stack } = parseThrown(outcome.thrown);
  return {
    name: name === '' ? undefined : name.slice(0, maxMessageLength),
    message: message.slice(0, maxMessageLength),
    stack: framesOf(stack),
  };
}

/** The places in the user's own file; undefined when the stack names none. */
function framesOf(stack: string): string[] | undefined {
  const own = new RegExp(`^\\s+at .*\\b${RegExp.escape(userFile)}:\\d+:\\d+`);
  const frames = stack.split('\n').filter((line) => own.test(line));
  if (frames.length === 0) return undefined;
  return frames.slice(0, maxFrames).map((line) => line.trim().slice('at '.length, maxFrameLength));
}

/** A log as the API shows it. @param log as a worker process sent it */
export function parseLog(log: Buffer): { time: string; level: LogEntry['level']; text: string }[] {
  return readLog(log).map(({ time, level, text }) => ({ time: new Date(time).toISOString(), level, text }));
}

/** No runner logs more: ten times its own limit, and one entry that says what was cut. */
const maxEntries = 10_001;
const maxTime = 8.64e15;

/** The valid entries of a log that a worker process sent. */
function readLog(log: Buffer): LogEntry[] {
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
