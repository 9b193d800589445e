import { unselectedPath } from '@glovebox/platform/http/warnings';

import type { Exchange } from '../http/exchange.ts';

/** Takes paths of the filter `json` that select nothing, and throws `strict` to who is that. */
export function warnOfPaths({ warnings }: Pick<Exchange, 'warnings'>): (paths: readonly string[]) => void {
  return (paths) => warnings.add(paths.map(unselectedPath));
}
