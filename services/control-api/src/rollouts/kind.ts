import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import type { NamedRecord } from '../publication/record.ts';
import type { FoundRollout, RolloutTable } from './store.ts';

/** What rollouts of one kind of resources need. */
export interface RolloutKind extends RolloutTable {
  readonly name: 'proxy' | 'reactor';
  /** Holds the resource until the transaction ends. @returns its present version. @throws AppError `not_found` */
  lock(tx: Queryable, tenantId: string, id: string): Promise<string>;
  /** What is published of the rollout, as it is stored. */
  published(tx: Queryable, id: string): Promise<NamedRecord[]>;
}

/** @throws AppError `not_found` */
export async function findRollout(
  kind: RolloutKind,
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<FoundRollout> {
  const found = await kind.find(db, tenantId, id);
  if (found === undefined || found.row.state === 'deleted')
    throw new AppError('not_found', `There is no rollout of such a ${kind.name}.`);
  return found;
}
