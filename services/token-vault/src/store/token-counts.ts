import { createHash } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';

import { type CountLimits, CachedCounts } from './cached-counts.ts';
import { type Selection, countUpTo } from './list-tokens.ts';
import { Parameters, conditionOf } from './token-filter.ts';

export class TokenCounts {
  readonly #counts: CachedCounts;

  constructor(limits: CountLimits) {
    this.#counts = new CachedCounts(limits);
  }

  count(db: Queryable, selection: Selection): Promise<number> {
    return this.#counts.count(nameOf(selection), (limit) => countUpTo(db, selection, limit));
  }
}

/** Independent of the selection's time. */
function nameOf({ tenantId, filter }: Selection): string {
  const parameters = new Parameters(tenantId);
  const condition = conditionOf(filter, parameters);
  return createHash('sha256')
    .update(JSON.stringify([condition, parameters.values]))
    .digest('base64');
}
