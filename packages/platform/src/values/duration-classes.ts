/** The upper bounds of the classes in which durations are counted, in milliseconds; the last class has none. */
const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000] as const;

export const durationClasses = bounds.length + 1;

export function classOfDuration(milliseconds: number): number {
  let at = 0;
  for (const bound of bounds) {
    if (milliseconds <= bound) return at;
    at += 1;
  }
  return at;
}

/**
 * The duration that this part of all did not exceed, as if durations were spread evenly within a class.
 * @param counts of each class
 * @param part from 0 to 1
 * @returns milliseconds; undefined without any
 */
export function percentileOf(counts: readonly number[], part: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let before = 0;
  for (const [at, count] of counts.entries()) {
    if (count > 0 && before + count >= part * total) {
      const from = bounds[at - 1] ?? 0;
      const to = bounds[at] ?? from;
      return from + ((to - from) * (part * total - before)) / count;
    }
    before += count;
  }
  return bounds.at(-1);
}
