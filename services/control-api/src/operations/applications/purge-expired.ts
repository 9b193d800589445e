import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import { findOver } from '../../applications/expiring-store.ts';
import type { AuditEvent } from '../../audit/audit-event.ts';
import type { Dependencies } from '../dependencies.ts';
import { withdrawApplication } from './withdraw-application.ts';

type PurgeDependencies = Pick<Dependencies, 'postgres' | 'changes'>;

const atOnce = 100;

/** Removes the applications that are over, again and again, until it is disposed. Their keys work no more by then. */
export function purgeExpired(
  dependencies: PurgeDependencies,
  intervalMs: number,
  logger: Logger,
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    await removeOver(dependencies).catch((err: unknown) => {
      logger.warn({ err }, 'expired applications were not removed; the next round will try again');
    });
  });
}

async function removeOver({ postgres, changes }: PurgeDependencies): Promise<void> {
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
    correlationId: null,
    operation: 'expire',
    entityType: 'application',
    entityId,
  };
}

/** Another process was faster. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}
