import { type Telling, toldAudit } from '../webhooks/telling.ts';
import type { ApplicationRow } from './application.ts';
import type { StoredKey } from './key.ts';

/** Neither its keys nor its rules. */
export function applicationTelling(
  change: 'created' | 'updated' | 'deleted',
  row: Omit<ApplicationRow, 'rules' | 'version'>,
): Telling {
  const { id, name, type, permissions } = row;
  return { type: `application.${change}`, data: { id, name, type, permissions, ...toldAudit(row) } };
}

export function keyTelling(
  change: 'created' | 'deleted',
  { id, name }: Pick<ApplicationRow, 'id' | 'name'>,
  key: StoredKey,
): Telling {
  const data = { id: key.id, application: { id, name }, ...toldAudit(key) };
  return { type: `application.key.${change}`, data };
}
