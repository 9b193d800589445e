import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { RedisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';
import { type Recent, readRecent } from '@glovebox/published/recent-counts';

/** The latest invocations of tenants, as the data plane has kept them. Every method throws AppError `unavailable`. */
export type Outlines = Pick<OutlineStore, 'latest' | 'since' | 'newest'> & {
  /** How many there were lately. */
  recent(tenantId: string): Promise<Recent>;
};

export function readOutlines(
  redis: Redis,
  names: Pick<RedisNames, 'invocations' | 'recentCounts'>,
): Outlines {
  const store = new OutlineStore(redis, names);
  return {
    latest: (...range) => store.latest(...range).catch(unavailable),
    since: (...range) => store.since(...range).catch(unavailable),
    newest: (tenantId) => store.newest(tenantId).catch(unavailable),
    recent: (tenantId) => readRecent(redis, names, tenantId).catch(unavailable),
  };
}

function unavailable(cause: unknown): never {
  throw new AppError('unavailable', 'The invocations cannot be read right now.', { cause });
}
