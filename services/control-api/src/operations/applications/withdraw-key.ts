import type { Queryable } from '@glovebox/platform/db/postgres';

import { missingKey, readKeys } from '../../applications/key-store.ts';
import { keyEvent } from '../../applications/published.ts';
import { lockApplication } from '../../applications/store.ts';
import type { ChangeEffects } from '../../publication/changes.ts';
import { changeKeys } from './change-keys.ts';

export interface KeyPlace {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly id: string;
}

/** Deletes one key of an application. @throws AppError `not_found` */
export async function withdrawKey(tx: Queryable, place: KeyPlace): Promise<ChangeEffects> {
  const current = await lockApplication(tx, place.tenantId, place.applicationId);
  const keys = await readKeys(tx, place.applicationId);
  const key = keys.find(({ id }) => id === place.id) ?? missingKey();
  const { records } = await changeKeys(tx, current, { keys, removed: [key], added: [] });
  return { records, events: [keyEvent('deleted', current, key)] };
}
