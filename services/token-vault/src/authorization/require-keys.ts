import { holdsAnywhere } from '@glovebox/access/rules';

import { auditEntry, keyPurpose } from '../audit/audit-entry.ts';
import type { IdentifiedCall } from '../calls/open-call.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { recordDecisions } from '../store/audit-log.ts';
import { forbidden } from './refusals.ts';

/** Keys of clients are for who holds a permission on them, wherever it came from; a refusal is recorded. */
export async function requireKeys(
  vault: VaultContext,
  identified: IdentifiedCall,
  verb: 'create' | 'read' | 'delete',
): Promise<void> {
  const permission = `keys:${verb}` as const;
  if (holdsAnywhere(identified.caller.grants, permission)) return;
  const deed = { ...identified, operation: `${verb}_key`, purpose: keyPurpose } as const;
  await recordDecisions(vault.postgres, [auditEntry(deed, { reason: 'not_held' })]);
  throw forbidden(permission);
}
