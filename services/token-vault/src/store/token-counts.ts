import { createHash } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/postgres';
import { LRUCache } from 'lru-cache';

import { type Selection, countUpTo } from './list-tokens.ts';
import { Parameters, conditionOf } from './token-filter.ts';

/** Up to here each count is a new one. */
const exactUpTo = 10_000;
const keptMs = 30_000;

/**
 * Counts what is listed. Who reads many pages of very many tokens is told the same number for a while: to count a
 * million takes some tenths of a second, and on the second page it is no other number that matters.
 */
export class TokenCounts {
  readonly #large = new LRUCache<string, Promise<number>>({ max: 1000, ttl: keptMs });

  async count(db: Queryable, selection: Selection): Promise<number> {
    const name = nameOf(selection);
    const known = this.#large.get(name);
    if (known !== undefined) return known;
    const counted = await countUpTo(db, selection, exactUpTo + 1);
    if (counted <= exactUpTo) return counted;
    const begun = this.#large.get(name) ?? this.#begin(db, selection, name);
    return begun;
  }

  #begin(db: Queryable, selection: Selection, name: string): Promise<number> {
    const counting = countUpTo(db, selection, Number.MAX_SAFE_INTEGER);
    this.#large.set(name, counting);
    counting.catch(() => this.#large.delete(name));
    return counting;
  }
}

/** The same for the same tokens at another time. */
function nameOf({ tenantId, filter }: Selection): string {
  const parameters = new Parameters(tenantId);
  const condition = conditionOf(filter, parameters);
  return createHash('sha256')
    .update(JSON.stringify([condition, parameters.values]))
    .digest('base64');
}
