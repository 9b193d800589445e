import type { RecordCache } from './record-cache.ts';

/** A record older than the version is read again, once for all callers. */
export function atLeastVersion<T extends { readonly version: number }>(
  cache: RecordCache<T>,
  key: string,
  version: number,
): T | undefined | Promise<T | undefined> {
  const judge = (record: T | undefined) => {
    if (version === 0 || (record?.version ?? 0) >= version) return record;
    const kept = cache.get(key);
    if (kept !== record) return kept;
    cache.invalidate(key);
    return cache.get(key);
  };
  const known = cache.get(key);
  return known instanceof Promise ? known.then(judge) : judge(known);
}
