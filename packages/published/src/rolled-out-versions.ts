import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { LRUCache } from 'lru-cache';

import { atLeastVersion } from './at-least-version.ts';
import type { RecordCache } from './record-cache.ts';
import type { ProxyRecord, ProxyRolloutRecord } from './records.ts';

/** A rollout that cannot be read is not asked for again this long: nobody waits for it. */
const pauseMs = 1000;
const mostUnknown = 10_000;

/** The versions of proxies that serve requests: the present one, and the second one of a rollout. */
export function versionsOf(proxies: RecordCache<ProxyRecord>, rollouts: RecordCache<ProxyRolloutRecord>) {
  const unknown = new LRUCache<string, true>({ max: mostUnknown, ttl: pauseMs });
  const rollout = (hash: string): MaybePromise<ProxyRolloutRecord | undefined> => {
    if (unknown.size > 0 && unknown.has(hash)) return undefined;
    const known = rollouts.get(hash);
    if (!(known instanceof Promise)) return known;
    return known.catch(() => {
      unknown.set(hash, true);
      return undefined;
    });
  };
  const readAgain = (hash: string) => {
    rollouts.invalidate(hash);
    return rollout(hash);
  };
  const presentOrSecond = (hash: string, version: number) =>
    andThen(atLeastVersion(proxies, hash, version), (proxy: ProxyRecord | undefined) =>
      proxy?.version === version
        ? proxy
        : andThen(readAgain(hash), (second) => (second?.proxy.version === version ? second.proxy : proxy)),
    );
  return {
    rollout,
    find: (hash: string, version: number): MaybePromise<ProxyRecord | undefined> =>
      andThen(rollout(hash), (second: ProxyRolloutRecord | undefined) =>
        second?.proxy.version === version ? second.proxy : presentOrSecond(hash, version),
      ),
  };
}
