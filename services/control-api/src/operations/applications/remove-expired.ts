import { AppError } from '@glovebox/platform/errors/app-error';

import { findOver } from '../../applications/expiring-store.ts';
import type { AuditEvent } from '../../audit/audit-event.ts';
import type { Dependencies } from '../dependencies.ts';
import { withdrawApplication } from './withdraw-application.ts';

const atOnce = 100;

/** Removes the applications that have expired; their keys have not worked since. */
export async function removeExpired({
  postgres,
  changes,
}: Pick<Dependencies, 'postgres' | 'changes'>): Promise<void> {
  for (;;) {
    const over = await findOver(postgres, atOnce);
    for (const { id, tenant_id: tenantId } of over) {
      await changes
        .applyLater(expiryOf(tenantId, id), (tx) => withdrawApplication(tx, tenantId, id))
        .catch(unlessGone);
    }
    if (over.length < atOnce) return;
  }
}

function expiryOf(tenantId: string, entityId: string): AuditEvent {
  return {
    tenantId,
    actorId: null,
    actorType: 'system',
    correlationId: null,
    clientAddress: null,
    operation: 'expire',
    entityType: 'application',
    entityId,
  };
}

/** Another process may have removed it. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}
