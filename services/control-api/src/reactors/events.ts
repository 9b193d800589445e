import { type Telling, toldAudit } from '../events/emit.ts';
import type { ReactorRow } from './reactor.ts';

/** Neither code nor configuration. */
export function reactorTelling(change: 'created' | 'updated' | 'deleted', row: ReactorRow): Telling {
  const { id, name, application_id } = row;
  const application = application_id === null ? undefined : { id: application_id };
  return { type: `reactor.${change}`, data: { id, name, application, ...toldAudit(row) } };
}
