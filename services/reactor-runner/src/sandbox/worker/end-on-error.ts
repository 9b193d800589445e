import { writeSync } from 'node:fs';

/**
 * Ends this process at once when its own code fails. By itself it would wait for the thread that holds the
 * lifeline, which waits for the runner.
 */
export function endOnError(): void {
  process.on('uncaughtException', (error) => {
    try {
      writeSync(2, `${error instanceof Error ? error.stack : 'a value that is no Error was thrown'}\n`);
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  });
}
