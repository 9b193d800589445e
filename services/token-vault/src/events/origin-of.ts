import type { IdentifiedCall } from '../calls/open-call.ts';
import type { Origin } from './vault-events.ts';

export function originOf({ call, caller }: IdentifiedCall): Origin {
  const { tenantId, applicationId: id, applicationType } = caller;
  const type = applicationType === 'session' ? 'session' : 'application';
  return { tenantId, actor: { id, type }, correlationId: call.correlationId };
}
