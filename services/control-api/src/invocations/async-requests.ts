import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import { AsyncRequestList } from '@glovebox/published/async-requests';
import type { RedisNames } from '@glovebox/published/keys';

/** The latest asynchronous invocations of tenants, as runners keep them. Throws AppError `unavailable`. */
export type AsyncRequests = Pick<AsyncRequestList, 'latest'>;

export function readAsyncRequests(redis: Redis, names: RedisNames): AsyncRequests {
  const list = new AsyncRequestList(redis, names);
  return {
    latest: (...range) =>
      list.latest(...range).catch((cause: unknown) => {
        throw new AppError('unavailable', 'The asynchronous invocations cannot be read right now.', {
          cause,
        });
      }),
  };
}
