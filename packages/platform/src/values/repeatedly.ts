/**
 * Repeats `round`, `pauseMs` after the last one ended, until it is disposed. Disposing waits for a running round.
 * @param round handles its own failures
 */
export function repeatedly(pauseMs: number, round: () => Promise<void>): AsyncDisposable {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const schedule = () => {
    if (ended) return;
    timer = setTimeout(() => {
      running = round().then(schedule);
    }, pauseMs);
  };
  schedule();
  return {
    async [Symbol.asyncDispose]() {
      ended = true;
      clearTimeout(timer);
      await running;
    },
  };
}
