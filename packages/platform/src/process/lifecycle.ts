import { ConfigError } from '../settings/config-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import { countUncaught, noteUncaught } from '../telemetry/uncaught.ts';

/** A started service. Disposing it ends it in order, within its own time limits. */
export interface RunningService extends AsyncDisposable {
  /** Rejects when the service can't go on. Absent: it runs until a signal. */
  readonly failed?: Promise<never>;
  /** Sum of its own time limits, in milliseconds, if that can be more than half a minute. */
  readonly stopsWithinMs?: number;
}

/** Exit code for a wrong configuration (EX_CONFIG of sysexits.h). */
const exitCodeConfig = 78;

/** For a whole stop. Each service bounds its own parts by SHUTDOWN_TIMEOUT_MS, so anything longer is stuck. */
const hardStopMs = 60_000;
const marginMs = 15_000;

/**
 * Runs one service as this process: reads its configuration, starts tracing and then the service, waits for SIGTERM or
 * SIGINT, disposes it, and lets the event loop empty. If a supervisor starts the process with an IPC channel, the end
 * of the channel is a stop signal too. A second signal ends the process at once, as does a stop that takes longer than
 * a minute, or than the service's own limits if those are higher. An uncaught exception or rejection is logged and
 * counted, and ends the process like a signal, with exit code 1. A wrong configuration ends it with exit code 78 and
 * all problems on stderr, before anything is opened, and before anything else is loaded if `start` loads the service.
 * @param name of the service in its spans, unless OTEL_SERVICE_NAME gives another
 * @param start its signal aborts when the process should stop
 */
export async function runService<Config>(
  name: string,
  readConfig: () => Config,
  start: (config: Config, stopping: AbortSignal) => Promise<RunningService>,
): Promise<void> {
  const stopping = new AbortController();
  let limitMs = hardStopMs;
  let logger: Logger | undefined;
  const stop = () => {
    if (stopping.signal.aborted) return;
    setTimeout(giveUp, limitMs).unref();
    stopping.abort();
  };
  const onSignal = () => {
    process.once('SIGTERM', giveUp).once('SIGINT', giveUp);
    stop();
  };
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
  if (process.channel) process.once('disconnect', onSignal);
  process.on('uncaughtException', (error: unknown, origin) => {
    process.exitCode = 1;
    noteUncaught();
    if (logger === undefined) process.stderr.write(`${describe(error)}\n`);
    else logger.fatal({ err: error, origin }, 'nothing caught this: the process drains and ends');
    stop();
  });
  try {
    const config = readConfig();
    const { createLogger } = await import('../telemetry/logger.ts');
    logger = createLogger({ service: name, level: 'fatal' });
    const { startTelemetry } = await import('../telemetry/exporter.ts');
    const telemetry = await startTelemetry(name);
    await using stack = new AsyncDisposableStack();
    stack.defer(() => telemetry.stop());
    const service = stack.use(await start(config, stopping.signal));
    limitMs = Math.max(hardStopMs, (service.stopsWithinMs ?? 0) + marginMs);
    await Promise.race([aborted(stopping.signal), ...(service.failed ? [service.failed] : [])]);
  } catch (error) {
    const unneeded = stopping.signal.aborted && error === stopping.signal.reason;
    const expected = error instanceof ConfigError;
    if (!unneeded) process.stderr.write(`${expected ? error.message : describe(error)}\n`);
    process.exitCode = unneeded ? (process.exitCode ?? 0) : expected ? exitCodeConfig : 1;
    endSoon();
  } finally {
    if (countUncaught() > 0) endSoon();
    if (process.connected) process.disconnect();
  }
}

/** Handles that a failure left open must not keep a dead service alive. */
function endSoon(): void {
  setTimeout(giveUp, 1000).unref();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function giveUp(): void {
  process.exit(process.exitCode ?? 1);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
