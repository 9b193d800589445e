import type { Queryable } from '@glovebox/platform/db/postgres';

import type { VersionRow, VersionTable } from '../versions/version-table.ts';
import type { RolloutTable } from './store.ts';

/** The version that a rollout serves beside the present one. */
export interface SecondVersion {
  /** As the API shows them. */
  readonly version: number;
  readonly present: number;
  readonly definition: VersionRow['definition'];
}

interface Tables {
  readonly rollouts: Pick<RolloutTable, 'find'>;
  readonly versions: Pick<VersionTable, 'find'>;
}

/** Undefined where one version serves everybody: without a rollout, after its end, with a share of zero, and for a shadow. */
export async function findSecondVersion(
  { rollouts, versions }: Tables,
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<SecondVersion | undefined> {
  const found = await rollouts.find(db, tenantId, id);
  if (found === undefined) return undefined;
  const { present, row } = found;
  if (row.state !== 'running' || row.shadow_percent !== null || row.percent === 0) return undefined;
  const version = Number(row.version);
  const kept = await versions.find(db, tenantId, id, version);
  return kept && { version, present: Number(present), definition: kept.definition };
}
