import { setTimeout as delay } from 'node:timers/promises';

import { cpuOf } from '../measure/cpu.ts';

const lookEveryMs = 2000;
/** Longer than the pause between two rounds in which readers keep what has changed. */
const looksInARow = 4;
const calmShare = 0.2;
const atMostMs = 20 * 60_000;

/**
 * Waits until the processes together take less than a fifth of a core, for some seconds in a row.
 * @returns seconds until the first of these
 * @throws Error after twenty minutes
 */
export async function untilCalm(pids: readonly number[]): Promise<number> {
  const begun = performance.now();
  let since = begun;
  let calm = 0;
  for (let before = cpuOf(pids); calm < looksInARow;) {
    const from = performance.now();
    if (from - begun > atMostMs) throw new Error('the readers of the configuration do not come to rest');
    await delay(lookEveryMs);
    const now = cpuOf(pids);
    const share = (now - before) / 1000 / (performance.now() - from);
    before = now;
    if (share >= calmShare) since = performance.now();
    calm = share < calmShare ? calm + 1 : 0;
  }
  return (since - begun) / 1000;
}
