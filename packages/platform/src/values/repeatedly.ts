/**
 * Does `round` again and again, `pauseMs` after the last time, until it is disposed; that waits for a round under way.
 * @param round sees to its own failures
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
