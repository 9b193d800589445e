import { LeakPatterns } from './leak-patterns.ts';
import { LeakSearch } from './leak-search.ts';
import { leavesOf } from './leaves.ts';
import { minValueLength } from './spellings.ts';

/** The values of the expressions of one request, as JSON texts. */
export interface FilledValues {
  readonly guarded: string[];
  /** Of tokens that the caller may read in plaintext. */
  readonly readable: string[];
}

/** Adds what was filled into a message. */
export function addFilled(
  filled: FilledValues | undefined,
  values: readonly string[],
  readable: readonly boolean[],
): FilledValues {
  const all = filled ?? { guarded: [], readable: [] };
  for (const [at, value] of values.entries())
    (readable[at] === true ? all.readable : all.guarded).push(value);
  return all;
}

/** The texts and numbers that the caller may not get back, each once. */
export function valuesToGuard({ guarded, readable }: FilledValues): readonly string[] {
  const [first] = guarded;
  if (first === undefined) return none;
  const leaves = guarded.length === 1 ? leavesOf(first) : guarded.flatMap(leavesOf);
  if (leaves.length === 1 && readable.length === 0) return leaves[0]!.length < minValueLength ? none : leaves;
  const known = new Set(readable.flatMap(leavesOf));
  return [...new Set(leaves)].filter((leaf) => leaf.length >= minValueLength && !known.has(leaf));
}

const none: readonly string[] = [];

/** The values that a text does not hold, in whatever spelling; those that are too large to be searched for are kept. */
export function valuesNotIn(values: readonly string[], text: Uint8Array): readonly string[] {
  if (values.length === 0) return none;
  const held = new Set<number>();
  new LeakSearch(new LeakPatterns(values), held).push(text);
  return held.size === 0 ? values : values.filter((_value, at) => !held.has(at));
}
