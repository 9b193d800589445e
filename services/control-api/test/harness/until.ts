import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an attempt until it no longer throws; throws its last error when the time is over. */
export async function until<T>(timeoutMs: number, attempt: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(1.2 * pauseMs, 30)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}
