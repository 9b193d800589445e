import { ConfigError } from './env.ts';

/** What a started service gives back: dispose ends it in order, within its own time limits. */
export interface RunningService extends AsyncDisposable {
  /** Rejects when the service can't go on. Absent: it goes on until a signal. */
  readonly failed?: Promise<never>;
}

/**
 * Runs one service as this process: starts it, waits for SIGTERM or SIGINT, disposes it, and lets the event loop
 * empty. A second signal, or a stop that takes longer than `shutdownTimeoutMs`, ends the process at once.
 * Problems of its configuration end it with exit code 78 (EX_CONFIG of sysexits.h), all of them on stderr.
 */
export async function run(start: () => Promise<RunningService>, shutdownTimeoutMs: number): Promise<void> {
  const stop = Promise.withResolvers<void>();
  let signals = 0;
  const onSignal = () => {
    signals += 1;
    if (signals > 1) process.exit(1);
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref();
    stop.resolve();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // A supervisor that starts a service with an IPC channel is its owner: its death is a stop signal.
  if (process.channel) process.once('disconnect', onSignal);
  try {
    await using service = await start();
    await Promise.race([stop.promise, ...(service.failed ? [service.failed] : [])]);
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 78;
    } else {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exitCode = 1;
    }
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
    if (process.channel) process.disconnect();
    setTimeout(() => process.exit(), shutdownTimeoutMs).unref();
  }
}
