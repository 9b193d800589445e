import type { RolloutRow } from './rollout.ts';

/** The columns of a rollout beside those of its proxy or reactor. */
export interface RolloutColumns {
  readonly rollout_id: string;
  readonly rollout_version: string;
  readonly percent: number;
  readonly shadow_percent: number | null;
  readonly header: string | null;
  readonly state: RolloutRow['state'];
  readonly revision: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** `o` is the table of rollouts, `v` that of versions. */
export const rolloutColumns = `o.id AS rollout_id, o.version AS rollout_version, o.percent, o.shadow_percent,
       o.header, o.state, o.revision, v.definition`;

/** The fields that published rollouts of proxies and reactors share. */
export function publishedRolloutFields(row: RolloutColumns) {
  return {
    id: row.rollout_id,
    percent: row.percent,
    shadowPercent: row.shadow_percent ?? undefined,
    header: row.header ?? '',
    ended: row.state !== 'running',
  };
}
