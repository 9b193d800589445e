import type { Principal } from '@glovebox/access/principal';
import type { Queryable } from '@glovebox/platform/db/postgres';

import { type WebhookEvent, emitEvents } from '../events/emit.ts';
import type { Call } from '../http/call.ts';

export type AuditOperation =
  | 'create'
  | 'update'
  | 'restore'
  | 'create_draft'
  | 'update_rollout'
  | 'complete_rollout'
  | 'stop_rollout'
  | 'delete_rollout'
  | 'delete'
  | 'expire'
  | 'create_key'
  | 'delete_key'
  | 'regenerate_key'
  | 'rotate_secret'
  | 'resend'
  | 'read_log'
  | 'test'
  | 'sign_in'
  | 'sign_out'
  | 'end_session'
  | 'accept';

/** One change by an application, a person or an operator; or a person's sign-in. */
export interface AuditEvent {
  readonly tenantId: string;
  /** Null: an operator, on the command line. */
  readonly actorId: string | null;
  readonly actorType: ActorType;
  /** Of the request; null for a command. */
  readonly correlationId: string | null;
  /** Where the request came from; null for a command. */
  readonly clientAddress: string | null;
  readonly operation: AuditOperation;
  readonly entityType: ManagedEntity;
  readonly entityId: string;
  /** Absent: it was done. */
  readonly outcome?: 'denied';
  /** Of a refusal; of what was done, what the caller says. */
  readonly reason?: string | undefined;
}

/** `system`: the service itself, or an operator. */
export type ActorType = 'application' | 'user' | 'system';

export function actorTypeOf({ isPerson }: Pick<Principal, 'isPerson'>): ActorType {
  return isPerson === true ? 'user' : 'application';
}

export function auditEvent(
  {
    principal,
    correlationId,
    clientAddress,
    comment,
  }: Pick<Call, 'principal' | 'correlationId' | 'clientAddress'> & Partial<Pick<Call, 'comment'>>,
  operation: AuditOperation,
  entityType: ManagedEntity,
  entityId: string,
): AuditEvent {
  const { tenantId, applicationId: actorId } = principal;
  const actorType = actorTypeOf(principal);
  const reason = comment;
  return {
    tenantId,
    actorId,
    actorType,
    correlationId,
    clientAddress,
    operation,
    entityType,
    entityId,
    reason,
  };
}

/** For the log and for webhooks, with what was done: in its transaction. */
export async function recordAuditEvent(
  tx: Queryable,
  event: AuditEvent,
  events: readonly WebhookEvent[] = [],
): Promise<void> {
  await tx.query(
    'record-event',
    `INSERT INTO logs (tenant_id, actor_id, operation, entity_type, entity_id, trace_id, client_address, actor_type,
                       outcome, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      event.tenantId,
      event.actorId,
      event.operation,
      event.entityType,
      event.entityId,
      event.correlationId,
      event.clientAddress,
      event.actorType,
      event.outcome ?? null,
      event.reason ?? null,
    ],
  );
  await emitEvents(tx, event, events);
}

/** Entities that management operations change. */
const managed = {
  application: 'Application',
  proxy: 'Proxy',
  reactor: 'Reactor',
  reactor_formula: 'Reactor Formula',
  tenant: 'Tenant',
  tenant_invitation: 'Tenant Invitation',
  member: 'Member',
  webhook: 'Webhook',
} as const;

/** Entities whose audit log the vault keeps. */
const audited = { token: 'Token', session: 'Session', key: 'Key', egress: 'Egress', leak: 'Leak' } as const;

export type ManagedEntity = keyof typeof managed;
export type AuditedEntity = keyof typeof audited;

const displayNames: Readonly<Record<string, string>> = { ...managed, ...audited };

/** In the order of their names. */
export const entityTypes = Object.entries(displayNames)
  .map(([value, displayName]) => ({ value, displayName }))
  .toSorted((a, b) => a.value.localeCompare(b.value));

export function isManaged(entityType: string): entityType is ManagedEntity {
  return Object.hasOwn(managed, entityType);
}

export function isAudited(entityType: string): entityType is AuditedEntity {
  return Object.hasOwn(audited, entityType);
}

export function displayNameOf(entityType: string): string {
  return displayNames[entityType] ?? entityType;
}
