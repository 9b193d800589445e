import type { RowOf } from '../fields/column.ts';
import { column, optionalText, text } from '../fields/column.ts';

/** `deleted`: the API shows none. */
export type RolloutState = 'running' | 'stopped' | 'completed' | 'deleted';

/** Its columns. */
export const rolloutFields = {
  resource_id: text({ fixed: true }),
  id: text({}),
  version: text({}),
  /** Of the requests that it serves. */
  percent: column<number>()({}),
  /** Of the requests that it is tried on; null: it is live. */
  shadow_percent: column<number | null>()({}),
  header: optionalText({}),
  stop_error_rate: column<number | null>()({}),
  stop_min_requests: optionalText({}),
  state: column<RolloutState>()({}),
  reason: optionalText({}),
  revision: text({}),
  created_by: text({}),
  created_at: column<Date>()({}),
  modified_by: optionalText({}),
  modified_at: column<Date | null>()({}),
};

/** A rollout as it is stored. Versions, revisions and numbers of requests are digits. */
export type RolloutRow = RowOf<typeof rolloutFields>;

/** The next state of a rollout. */
export function changedRollout(row: RolloutRow, changed: Partial<RolloutRow>): RolloutRow {
  return { ...row, modified_at: new Date(), ...changed, revision: String(BigInt(row.revision) + 1n) };
}
