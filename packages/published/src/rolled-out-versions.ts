import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { LRUCache } from 'lru-cache';

import { atLeastVersion } from './at-least-version.ts';
import type { RecordCache } from './record-cache.ts';

/** For how long a rollout that could not be read is not read again, so that no request waits for it. */
const pauseMs = 1000;
const mostUnknown = 10_000;

interface Versioned {
  readonly version: number;
}

/**
 * The versions of proxies or reactors that serve requests: the present one, and the second one of a rollout.
 * @param secondOf a rollout
 */
export function versionsOf<Resource extends Versioned, Rollout extends object>(
  resources: RecordCache<Resource>,
  rollouts: RecordCache<Rollout>,
  secondOf: (rollout: Rollout) => Resource,
) {
  const unknown = new LRUCache<string, true>({ max: mostUnknown, ttl: pauseMs });
  const rollout = (key: string): MaybePromise<Rollout | undefined> => {
    if (unknown.size > 0 && unknown.has(key)) return undefined;
    const known = rollouts.get(key);
    if (!(known instanceof Promise)) return known;
    return known.catch(() => {
      unknown.set(key, true);
      return undefined;
    });
  };
  const readAgain = (key: string) => {
    rollouts.invalidate(key);
    return rollout(key);
  };
  const ifSecond = (found: Rollout | undefined, version: number): Resource | undefined => {
    const second = found === undefined ? undefined : secondOf(found);
    return second?.version === version ? second : undefined;
  };
  const presentOrSecond = (key: string, version: number) =>
    andThen(atLeastVersion(resources, key, version), (present: Resource | undefined) =>
      present?.version === version
        ? present
        : andThen(readAgain(key), (found) => ifSecond(found, version) ?? present),
    );
  return {
    rollout,
    find: (key: string, version: number): MaybePromise<Resource | undefined> =>
      andThen(
        rollout(key),
        (found: Rollout | undefined) => ifSecond(found, version) ?? presentOrSecond(key, version),
      ),
  };
}
