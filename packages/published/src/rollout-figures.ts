/** What one version of a rollout has done. */
export interface Figures {
  readonly requests: number;
  readonly errors: number;
  /** Milliseconds, to a twentieth; undefined before the first request. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
}

/** The fields of the hash in Redis that holds the figures of a rollout. Their number is bounded by that of the buckets. */
export const figureFields = {
  requests: (version: number) => `${version}:requests`,
  errors: (version: number) => `${version}:errors`,
  took: (version: number, ms: number) => `${version}:took:${bucketOf(ms)}`,
};

const growth = 1.1;
/** Its last one begins beyond four minutes. */
const lastBucket = 130;

function bucketOf(ms: number): number {
  return Math.min(Math.round(Math.log(Math.max(ms, 1)) / Math.log(growth)), lastBucket);
}

/** @param stored the hash in Redis; empty if there is none */
export function readFigures(stored: Readonly<Record<string, string>>, version: number): Figures {
  const numberAt = (field: string) => Number(stored[field] ?? 0);
  const buckets = Array.from({ length: lastBucket + 1 }, (_, bucket) =>
    numberAt(`${version}:took:${bucket}`),
  );
  return {
    requests: numberAt(figureFields.requests(version)),
    errors: numberAt(figureFields.errors(version)),
    p50: quantile(buckets, 0.5),
    p99: quantile(buckets, 0.99),
  };
}

function quantile(buckets: readonly number[], share: number): number | undefined {
  const all = buckets.reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (const [bucket, count] of buckets.entries()) {
    below += count;
    if (count > 0 && below >= all * share) return Number((growth ** bucket).toPrecision(3));
  }
  return undefined;
}
