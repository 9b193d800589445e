import { expect } from 'chai';

/** In ms. */
export interface TimeLimits {
  /** No attempt takes less. */
  readonly atLeast?: number;
  /** The quickest takes no more. */
  readonly atMost: number;
}

const attempts = 5;

/**
 * Holds a limit of time on a busy machine. Load only ever adds to what an attempt takes, so the quickest of five is judged: code
 * that misses its limit misses it each time.
 *
 * @param attempt what is timed
 * @param prepare what has to be done before each attempt, and is not timed
 */
export async function expectSoon(
  { atLeast = 0, atMost }: TimeLimits,
  attempt: () => Promise<unknown>,
  prepare?: () => Promise<unknown>,
): Promise<void> {
  for (let left = attempts; left > 0; left -= 1) {
    await prepare?.();
    const started = performance.now();
    await attempt();
    const took = performance.now() - started;
    expect(took, 'the time of an attempt, in ms').to.be.at.least(atLeast);
    if (took <= atMost) return;
  }
  expect.fail(`none of ${attempts} attempts took at most ${atMost} ms`);
}
