import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { RedisNames } from '@glovebox/published/keys';
import { type Figures, readFigures } from '@glovebox/published/rollout-figures';

/** What the versions of rollouts have done, by the data plane's count. */
export interface RolloutFigures {
  /** @throws AppError `unavailable` */
  of(rolloutId: string, versions: readonly number[]): Promise<Figures[]>;
}

export function rolloutFigures(redis: Redis, names: Pick<RedisNames, 'rolloutFigures'>): RolloutFigures {
  return {
    async of(rolloutId, versions) {
      const stored = await redis.hgetall(names.rolloutFigures(rolloutId)).catch((cause: unknown) => {
        throw new AppError('unavailable', 'The figures of the rollout cannot be read right now.', { cause });
      });
      return versions.map((version) => readFigures(stored, version));
    },
  };
}
