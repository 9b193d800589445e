/** How the results of two versions differ at one place. */
export const differenceKinds = ['added', 'removed', 'type', 'value', 'answered', 'failed', 'other'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export interface Difference {
  /** A JSON Pointer that holds no value: the data plane has left out each name that could be one. */
  readonly path: string;
  readonly kind: DifferenceKind;
}

/** What a shadow has shown (contract/rollouts.md#shadow). */
export interface ShadowFigures {
  readonly compared: number;
  readonly equal: number;
  /** Requests of the share that the version was not tried on: too many were under way, or no runner could run it. */
  readonly skipped: number;
  /** The most frequent first. */
  readonly differences: readonly (Difference & { readonly count: number })[];
}

/** Fields of the figures of a rollout in Redis. */
export const shadowFields = { compared: 'shadow:compared', equal: 'shadow:equal', skipped: 'shadow:skipped' };

/** The most distinct differences of a rollout; further ones are counted as one. */
export const mostDifferences = 100;
/** The field of a difference in the hash of its own. */
export const differenceField = ({ path, kind }: Difference): string => `${kind} ${path}`;
export const otherDifference: Difference = { path: '*', kind: 'other' };

/**
 * Adds counts of differences to the hash, which never gets more fields than there may be, however many processes write.
 * KEYS: the hash. ARGV: how many, the field for all others, milliseconds to keep it, and then fields with their counts.
 */
export const addDifferences = `
for at = 4, #ARGV, 2 do
  local field = ARGV[at]
  local isNew = redis.call('HEXISTS', KEYS[1], field) == 0
  if isNew and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then field = ARGV[2] end
  redis.call('HINCRBY', KEYS[1], field, ARGV[at + 1])
end
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

type Stored = Readonly<Record<string, string>>;

/** @param figures, differences the hashes in Redis; empty if there are none */
export function readShadowFigures(figures: Stored, differences: Stored): ShadowFigures {
  return {
    compared: Number(figures[shadowFields.compared] ?? 0),
    equal: Number(figures[shadowFields.equal] ?? 0),
    skipped: Number(figures[shadowFields.skipped] ?? 0),
    differences: Object.entries(differences)
      .flatMap(([field, count]) => {
        const space = field.indexOf(' ');
        const kind = differenceKinds.find((one) => one === field.slice(0, space));
        return kind === undefined ? [] : [{ path: field.slice(space + 1), kind, count: Number(count) }];
      })
      .toSorted((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1)),
  };
}
