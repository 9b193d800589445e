import { type WebhookEvent, auditFields } from '../events/emit.ts';
import type { ApplicationRow } from './application.ts';
import type { StoredKey } from './key.ts';

/** Neither its keys nor its rules. */
export function applicationEvent(
  change: 'created' | 'updated' | 'deleted',
  row: Omit<ApplicationRow, 'rules' | 'version'>,
): WebhookEvent {
  const { id, name, type, permissions, expires_at } = row;
  const data = { id, name, type, permissions, expires_at: expires_at?.toISOString(), ...auditFields(row) };
  return { type: `application.${change}`, data };
}

export function keyEvent(
  change: 'created' | 'deleted',
  { id, name }: Pick<ApplicationRow, 'id' | 'name'>,
  key: StoredKey,
): WebhookEvent {
  const data = { id: key.id, application: { id, name }, ...auditFields(key) };
  return { type: `application.key.${change}`, data };
}
