import { displayNameOf } from '../../audit/audit-event.ts';
import type { LogEntry } from '../../audit/log-entry.ts';
import { showMoment } from '../../http/moment.ts';

/** As the API shows it (contract/tenants.md#logs). */
export function showLog(tenantId: string, event: LogEntry): object {
  const { source, id, at, actorId, actorType, entityType, entityId, operation, outcome, reason } = event;
  const { purpose = '', purposeId = '', rule, destination, traceId, clientAddress, count } = event;
  return {
    id: `${source}-${id}`,
    tenant_id: tenantId,
    actor_id: actorId,
    actor_type: actorType,
    entity_type: entityType,
    entity_id: entityId,
    operation,
    outcome,
    reason,
    rule,
    purpose: purpose === '' ? undefined : { type: purpose, ...(purposeId !== '' && { id: purposeId }) },
    destination,
    trace_id: traceId,
    client_address: clientAddress,
    count,
    message: messageOf(event),
    created_at: showMoment(at),
  };
}

const done: Readonly<Record<string, string>> = {
  create: 'created',
  read: 'retrieved',
  update: 'updated',
  restore: 'restored',
  delete: 'deleted',
  use: 'used',
  search: 'found by a search',
  associate: 'associated',
  dissociate: 'dissociated',
  authorize: 'authorized',
  expire: 'expired',
  create_key: 'key created',
  delete_key: 'key deleted',
  regenerate_key: 'key regenerated',
  rotate_secret: 'secret rotated',
  resend: 'event sent again',
  test: 'tested',
  create_draft: 'draft created',
  update_rollout: 'rollout set',
  complete_rollout: 'rollout completed',
  stop_rollout: 'rollout stopped',
  delete_rollout: 'rollout ended',
  sign_in: 'signed in',
  sign_out: 'signed out',
  end_session: 'signed out elsewhere',
  accept: 'accepted',
  read_log: 'log shown',
};

function messageOf(event: LogEntry): string {
  const { entityType, operation, outcome, purpose = '', purposeId = '', destination = '' } = event;
  if (operation === 'egress') {
    const did = outcome === 'denied' ? 'was refused' : 'made';
    return `${displayNameOf(purpose)} ${did} a request to ${destination}, which is not allowed`;
  }
  if (operation === 'leak') {
    return `${displayNameOf(purpose)} ${outcome === 'denied' ? 'was refused' : 'gave'} an answer with a value that was filled in`;
  }
  const name = displayNameOf(entityType) + (outcome === 'denied' ? ' not' : '');
  if (operation === 'use' && purpose === '') return `${name} used`;
  if (operation === 'use') return `${name} used in ${purpose} ${purposeId}`.trimEnd();
  if (operation === 'delete' && purpose === 'expired') return `${name} expired`;
  if (operation === 'create' && purpose === 'deduplicated') return `${name} deduplicated`;
  if (operation === 'read' && purpose === 'detokenize') return `${name} detokenized`;
  return `${name} ${done[operation] ?? operation}`;
}
