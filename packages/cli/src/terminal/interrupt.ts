/**
 * What Ctrl-C asks of a command: to end after the request that is under way. A second Ctrl-C ends the process at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}
