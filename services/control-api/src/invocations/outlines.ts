import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { RedisNames } from '@glovebox/published/keys';
import { OutlineStore } from '@glovebox/published/outline-store';

/** The latest invocations of tenants, as the data plane has kept them. Every method throws AppError `unavailable`. */
export type Outlines = Pick<OutlineStore, 'latest' | 'since' | 'newest'>;

export function readOutlines(redis: Redis, names: Pick<RedisNames, 'invocations'>): Outlines {
  const store = new OutlineStore(redis, names);
  return {
    latest: (...range) => store.latest(...range).catch(unavailable),
    since: (...range) => store.since(...range).catch(unavailable),
    newest: (tenantId) => store.newest(tenantId).catch(unavailable),
  };
}

function unavailable(cause: unknown): never {
  throw new AppError('unavailable', 'The invocations cannot be read right now.', { cause });
}
