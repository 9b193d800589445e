import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an attempt until it no longer throws; throws its last error when the time is over. */
export async function until<T>(timeoutMs: number, attempt: () => T | Promise<T>): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(10);
    }
  }
}
