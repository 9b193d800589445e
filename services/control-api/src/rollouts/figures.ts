import type { Redis } from '@glovebox/platform/db/redis';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { RedisNames } from '@glovebox/published/keys';
import { type Figures, readFigures } from '@glovebox/published/rollout-figures';
import { type ShadowFigures, readShadowFigures } from '@glovebox/published/shadow-figures';

/** What the versions of rollouts have done, by the data plane's count. */
export interface RolloutFigures {
  /** @throws AppError `unavailable` */
  of(rolloutId: string, versions: readonly number[]): Promise<Figures[]>;
  /** @throws AppError `unavailable` */
  ofShadow(rolloutId: string): Promise<ShadowFigures>;
}

type Names = Pick<RedisNames, 'rolloutFigures' | 'rolloutDifferences'>;

export function rolloutFigures(redis: Redis, names: Names): RolloutFigures {
  const read = (key: string) =>
    redis.hgetall(key).catch((cause: unknown) => {
      throw new AppError('unavailable', 'The figures of the rollout cannot be read right now.', { cause });
    });
  return {
    async of(rolloutId, versions) {
      const stored = await read(names.rolloutFigures(rolloutId));
      return versions.map((version) => readFigures(stored, version));
    },
    async ofShadow(rolloutId) {
      const keys = [names.rolloutFigures(rolloutId), names.rolloutDifferences(rolloutId)];
      const [figures = {}, differences = {}] = await Promise.all(keys.map(read));
      return readShadowFigures(figures, differences);
    },
  };
}
