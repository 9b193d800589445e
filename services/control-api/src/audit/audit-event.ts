import type { Queryable } from '@glovebox/platform/db/postgres';

import { type WebhookEvent, emitEvents } from '../events/emit.ts';
import type { Call } from '../http/call.ts';
import type { ManagedEntity } from './entities.ts';

export type Operation =
  | 'create'
  | 'update'
  | 'delete'
  | 'expire'
  | 'create_key'
  | 'delete_key'
  | 'regenerate_key'
  | 'rotate_secret';

/** That somebody changed something. */
export interface AuditEvent {
  readonly tenantId: string;
  /** Null: an operator, by the command line. */
  readonly actorId: string | null;
  /** Of the request; null for a command. */
  readonly correlationId: string | null;
  readonly operation: Operation;
  readonly entityType: ManagedEntity;
  readonly entityId: string;
}

export function auditEvent(
  { principal, correlationId }: Pick<Call, 'principal' | 'correlationId'>,
  operation: Operation,
  entityType: ManagedEntity,
  entityId: string,
): AuditEvent {
  const { tenantId, applicationId: actorId } = principal;
  return { tenantId, actorId, correlationId, operation, entityType, entityId };
}

/** For the log and for webhooks, with what was done: in its transaction. */
export async function recordAuditEvent(
  tx: Queryable,
  event: AuditEvent,
  events: readonly WebhookEvent[] = [],
): Promise<void> {
  await tx.query(
    'record-event',
    'INSERT INTO logs (tenant_id, actor_id, operation, entity_type, entity_id) VALUES ($1, $2, $3, $4, $5)',
    [event.tenantId, event.actorId, event.operation, event.entityType, event.entityId],
  );
  await emitEvents(tx, event, events);
}
