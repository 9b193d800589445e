import type { ApplicationKey } from '../api/models.ts';
import { texts } from '../texts.ts';

/** How much keys are used, in words: what a change of them touches. */
export function usesOf(keys: readonly ApplicationKey[]): string {
  const rate = keys.reduce((sum, { requests_per_minute: one = 0 }) => sum + one, 0);
  if (rate > 0) return texts.keyUses.rate(rate, keys.length);
  const last = keys
    .flatMap(({ last_used_at: at }) => at ?? [])
    .toSorted()
    .at(-1);
  if (last === undefined) return texts.keyUses.never(keys.length);
  return texts.keyUses.last(new Date(last).toLocaleString(), keys.length);
}
