import type { Found } from './ranges.ts';

/** A copy of bytes that lie at `base` in a stream, with `*` in place of what was found there. */
export function overwritten(bytes: Uint8Array, found: readonly Found[], base = 0): Buffer {
  const copy = Buffer.from(bytes);
  for (const { from, to } of found) {
    const start = Math.max(0, from - base);
    if (start < copy.length && to > base) copy.fill('*', start, Math.min(to - base, copy.length));
  }
  return copy;
}
