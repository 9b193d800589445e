import type { Figures } from '@glovebox/published/rollout-figures';

import type { RolloutFigures } from './figures.ts';
import type { FoundRollout } from './store.ts';

/** As the API shows it (contract/rollouts.md#rollout-object). @throws AppError `unavailable` */
export async function showRollout(figures: RolloutFigures, { row, present }: FoundRollout): Promise<object> {
  const {
    version,
    percent,
    shadow_percent,
    header,
    stop_error_rate: error_rate,
    stop_min_requests,
    state,
    reason,
  } = row;
  const versions = [...new Set([Number(present), Number(version)])];
  const done = await figures.of(row.id, versions);
  return {
    version: Number(version),
    percent: shadow_percent ?? percent,
    mode: shadow_percent === null ? 'live' : 'shadow',
    by: header === null ? 'random' : `header:${header}`,
    stop_when: error_rate === null ? undefined : { error_rate, min_requests: Number(stop_min_requests) },
    state,
    reason: reason ?? undefined,
    versions: versions.map((each, index) => showFigures(each, done[index]!)),
    shadow: shadow_percent === null ? undefined : await figures.ofShadow(row.id),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}

function showFigures(version: number, { requests, errors, p50, p99 }: Figures): object {
  return { version, requests, errors, p50_ms: p50, p99_ms: p99 };
}
