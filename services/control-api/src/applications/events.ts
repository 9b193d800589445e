import { type Telling, toldAudit } from '../events/emit.ts';
import type { ApplicationRow } from './application.ts';
import type { StoredKey } from './key.ts';

/** Neither its keys nor its rules. */
export function applicationTelling(
  change: 'created' | 'updated' | 'deleted',
  row: Omit<ApplicationRow, 'rules' | 'version'>,
): Telling {
  const { id, name, type, permissions, expires_at } = row;
  const data = { id, name, type, permissions, expires_at: expires_at?.toISOString(), ...toldAudit(row) };
  return { type: `application.${change}`, data };
}

export function keyTelling(
  change: 'created' | 'deleted',
  { id, name }: Pick<ApplicationRow, 'id' | 'name'>,
  key: StoredKey,
): Telling {
  const data = { id: key.id, application: { id, name }, ...toldAudit(key) };
  return { type: `application.key.${change}`, data };
}
