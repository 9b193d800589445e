import { holdsAnywhere } from '@glovebox/access/rules';

import { type AuditEntry, recordDecisions } from '../store/audit-log.ts';
import type { VaultContext } from '../vault-context.ts';
import { auditEntry } from './audit-entry.ts';
import { forbidden } from './judge-read.ts';
import type { IdentifiedCall } from './open-call.ts';

type Granted = Extract<AuditEntry['operation'], 'create' | 'read' | 'update' | 'search' | 'delete'>;

/** Spares the vault the work on a request of somebody who is granted nothing of the kind. The refusal is recorded. */
export async function refuseWithout(
  vault: VaultContext,
  { call, caller }: IdentifiedCall,
  operation: Granted,
): Promise<void> {
  const permission = `token:${operation}` as const;
  if (holdsAnywhere(caller.grants, permission)) return;
  await recordDecisions(vault.postgres, [auditEntry({ call, caller, operation }, { reason: 'not_held' })]);
  throw forbidden(permission);
}
