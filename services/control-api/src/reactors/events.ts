import { type WebhookEvent, auditFields } from '../events/emit.ts';
import type { ReactorRow } from './reactor.ts';

/** Neither code nor configuration. */
export function reactorEvent(change: 'created' | 'updated' | 'deleted', row: ReactorRow): WebhookEvent {
  const { id, name, application_id } = row;
  const application = application_id === null ? undefined : { id: application_id };
  return { type: `reactor.${change}`, data: { id, name, application, ...auditFields(row) } };
}
