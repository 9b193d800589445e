import { compareJson, mostParsedBytes, parseExactly } from '@glovebox/published/compare-json';
import type { Difference } from '@glovebox/published/shadow-figures';
import type { ShownName } from '@glovebox/published/shown-names';

import type { ReactorResult } from './read-result.ts';

/** Where a result of the second version differs from that of the present one; paths hold no value. */
export function* compareResults(
  present: ReactorResult,
  second: ReactorResult,
  shown: ShownName,
): Generator<Difference> {
  for (const member of ['raw', 'tokenize'] as const) {
    const path = `/result/${member}`;
    const [old, now] = [present[member], second[member]];
    if (old === now) continue;
    if (old === undefined || now === undefined) yield { path, kind: old === undefined ? 'added' : 'removed' };
    else if (Math.max(old.length, now.length) > mostParsedBytes) yield { path, kind: 'value' };
    else yield* compareJson(parseExactly(old), parseExactly(now), path, shown);
  }
}
