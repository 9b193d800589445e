import type { Principal } from '@glovebox/access/principal';
import type { Queryable } from '@glovebox/platform/postgres';

import type { ManagedEntity } from './entities.ts';

export type Operation =
  | 'create'
  | 'update'
  | 'delete'
  | 'create_key'
  | 'delete_key'
  | 'regenerate_key'
  | 'rotate_secret';

/** That somebody changed something. */
export interface Deed {
  readonly tenantId: string;
  /** Null: an operator, by the command line. */
  readonly actorId: string | null;
  readonly operation: Operation;
  readonly entityType: ManagedEntity;
  readonly entityId: string;
}

export function deedOf(
  { tenantId, applicationId }: Pick<Principal, 'tenantId' | 'applicationId'>,
  operation: Operation,
  entityType: ManagedEntity,
  entityId: string,
): Deed {
  return { tenantId, actorId: applicationId, operation, entityType, entityId };
}

/** For the log, with what was done: in its transaction. */
export async function recordDeed(tx: Queryable, deed: Deed): Promise<void> {
  await tx.query(
    'record-deed',
    'INSERT INTO logs (tenant_id, actor_id, operation, entity_type, entity_id) VALUES ($1, $2, $3, $4, $5)',
    [deed.tenantId, deed.actorId, deed.operation, deed.entityType, deed.entityId],
  );
}
