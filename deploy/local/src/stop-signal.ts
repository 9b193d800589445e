const pollMs = 500;
/** One Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const sameRequestMs = 1_000;

/**
 * Fires once this process is asked to stop: by Ctrl-C, `kill`, a closed terminal, or the end of the npm that
 * started it (which a SIGKILL of npm alone would not tell). A later request ends the process at once; the
 * watchdog then ends the rest.
 */
export function stopSignal(onStop: () => void): AbortSignal {
  const stop = new AbortController();
  let requestedAt: number | undefined;
  const request = () => {
    if (requestedAt === undefined) {
      requestedAt = performance.now();
      stop.abort();
      onStop();
    } else if (performance.now() - requestedAt > sameRequestMs) {
      process.exit(1);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, request);
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const poll = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(poll);
      if (!stop.signal.aborted) request();
    }, pollMs);
    poll.unref();
  }
  return stop.signal;
}
