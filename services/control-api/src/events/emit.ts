import { randomUUID } from 'node:crypto';

import type { Queryable } from '@glovebox/platform/db/postgres';
import { insertEvents } from '@glovebox/published/event-outbox';
import type { WebhookEvent as WebhookEventType } from '@glovebox/published/webhook-events';

/** A change as webhooks receive it: its type and a short form of the resource (docs/adr/0036). */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  /** Properties that are undefined are left out. */
  readonly data: object;
}

export interface EventOrigin {
  readonly tenantId: string;
  readonly actorId: string | null;
  readonly actorType: 'application' | 'user' | 'system';
  readonly correlationId: string | null;
}

/** Stores events in the transaction of their change; one statement when no webhook of the tenant wants them. */
export async function emitEvents(
  tx: Queryable,
  { tenantId, actorId, actorType, correlationId }: EventOrigin,
  emitted: readonly WebhookEvent[],
): Promise<void> {
  if (emitted.length === 0) return;
  const wanted = await wantedTypes(tx, tenantId);
  const actor = actorId === null ? { type: 'system' as const } : { id: actorId, type: actorType };
  const events = emitted
    .filter(({ type }) => wanted.has(type))
    .map(({ type, data }) => ({
      id: randomUUID(),
      type,
      timestamp: new Date().toISOString(),
      tenant_id: tenantId,
      trace_id: correlationId ?? randomUUID(),
      data: { ...data, actor },
    }));
  await insertEvents(tx, events);
}

async function wantedTypes(tx: Queryable, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ type: string }>(
    'wanted-events',
    `SELECT DISTINCT unnest(events) AS type FROM webhooks WHERE tenant_id = $1 AND status = 'enabled'`,
    [tenantId],
  );
  return new Set(rows.map(({ type }) => type));
}

interface Audited {
  readonly created_by: string | null;
  readonly created_at: Date | string;
  readonly modified_by?: string | null;
  readonly modified_at?: Date | null;
}

/** Who created and modified a resource, as every event has it. */
export function auditFields({ created_by, created_at, modified_by, modified_at }: Audited): object {
  return {
    created_by: created_by ?? undefined,
    created_at: new Date(created_at).toISOString(),
    modified_by: modified_by ?? undefined,
    modified_at: modified_at?.toISOString(),
  };
}
