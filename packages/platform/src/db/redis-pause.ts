/** Milliseconds before the next attempt to connect. */
export function pauseBefore(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 5), 1000) * (0.5 + Math.random() / 2);
}
