import type { Queryable } from '@glovebox/platform/db/postgres';

import { type Telling, keepTellings } from '../events/emit.ts';
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
export interface Deed {
  readonly tenantId: string;
  /** Null: an operator, by the command line. */
  readonly actorId: string | null;
  /** Of the request; null for a command. */
  readonly correlationId: string | null;
  readonly operation: Operation;
  readonly entityType: ManagedEntity;
  readonly entityId: string;
}

export function deedOf(
  { principal, correlationId }: Pick<Call, 'principal' | 'correlationId'>,
  operation: Operation,
  entityType: ManagedEntity,
  entityId: string,
): Deed {
  const { tenantId, applicationId: actorId } = principal;
  return { tenantId, actorId, correlationId, operation, entityType, entityId };
}

/** For the log and for webhooks, with what was done: in its transaction. */
export async function recordDeed(
  tx: Queryable,
  deed: Deed,
  tellings: readonly Telling[] = [],
): Promise<void> {
  await tx.query(
    'record-deed',
    'INSERT INTO logs (tenant_id, actor_id, operation, entity_type, entity_id) VALUES ($1, $2, $3, $4, $5)',
    [deed.tenantId, deed.actorId, deed.operation, deed.entityType, deed.entityId],
  );
  await keepTellings(tx, deed, tellings);
}
