import { type HostPatternScope, parseHostPattern } from './host-pattern.ts';
import { addProblem } from './problems.ts';
import type { Problems } from './problems.ts';

/** In one list: each place of a use may be compared with all of them. */
export const maxHostPatterns = 50;

/** What a list of patterns may hold. */
export interface HostPatternList extends HostPatternScope {
  /** The fewest; 0 where an empty list means nowhere. */
  readonly min: 0 | 1;
}

/**
 * Reads a list of host patterns as it came in a request (contract/destinations.md#host-patterns). What is returned has
 * each pattern once and counts only if no problem was added.
 *
 * @param path JSON path of `input` in the request
 */
export function readHostPatterns(
  input: unknown,
  list: HostPatternList,
  path: string,
  problems: Problems,
): readonly string[] {
  if (!Array.isArray(input) || input.length < list.min || input.length > maxHostPatterns) {
    addProblem(problems, path, `must be an array of ${list.min} to ${maxHostPatterns} hosts`);
    return [];
  }
  const patterns = input.map((item: unknown, index) => {
    const at = `${path}[${index}]`;
    const parsed = typeof item === 'string' ? parseHostPattern(item, list) : noText;
    if (parsed.ok) return parsed.pattern;
    addProblem(problems, at, parsed.problem);
    return '';
  });
  return [...new Set(patterns)];
}

const noText = { ok: false, problem: 'must be a string' } as const;
