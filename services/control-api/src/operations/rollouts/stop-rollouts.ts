import type { TenantDatabase } from '@glovebox/platform/db/postgres';

import { type AuditEvent, recordAuditEvent } from '../../audit/audit-event.ts';
import type { Changes } from '../../publication/changes.ts';
import type { RolloutFigures } from '../../rollouts/figures.ts';
import type { RolloutKind } from '../../rollouts/kind.ts';
import { changedRollout } from '../../rollouts/rollout.ts';
import type { WatchedRollout } from '../../rollouts/store.ts';

interface StopDependencies {
  readonly postgres: TenantDatabase;
  readonly changes: Changes;
  readonly figures: RolloutFigures;
}

const atOnce = 200;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Stops the rollouts whose second version fails more often than they allow (contract/rollouts.md#stop_when). One that cannot be
 * stopped now keeps no other from that.
 * @throws AggregateError with what failed
 */
export async function stopRollouts(dependencies: StopDependencies, kind: RolloutKind): Promise<void> {
  const across = dependencies.postgres.acrossTenants('rollouts');
  const failures: unknown[] = [];
  for (let after: string | undefined = beforeAll; after !== undefined;) {
    const page = await kind.watched(across, after, atOnce);
    const ended = await Promise.allSettled(page.map((watched) => stopIfFailing(dependencies, kind, watched)));
    failures.push(...ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])));
    after = page.length < atOnce ? undefined : page.at(-1)?.row.resource_id;
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some rollouts could not be watched');
}

async function stopIfFailing(
  { changes, figures }: StopDependencies,
  kind: RolloutKind,
  { row: seen, tenantId }: WatchedRollout,
): Promise<void> {
  const version = Number(seen.version);
  const [done] = await figures.of(seen.id, [version]);
  const { requests = 0, errors = 0 } = done ?? {};
  if (requests < Number(seen.stop_min_requests) || errors <= requests * seen.stop_error_rate!) return;
  const id = seen.resource_id;
  await changes.apply({ recorded: tenantId }, async (tx) => {
    await kind.lock(tx, tenantId, id);
    const row = (await kind.find(tx, tenantId, id))?.row;
    // It was changed meanwhile, or another process has stopped it.
    if (row?.state !== 'running' || row.revision !== seen.revision) return { result: undefined, records: [] };
    const reason = 'error_rate';
    await kind.store(tx, changedRollout(row, { state: 'stopped', reason, modified_by: null }));
    const subject = { type: kind.name, id };
    const percent = row.shadow_percent ?? row.percent;
    const data = { subject, version, percent, reason, requests, errors };
    await recordAuditEvent(tx, stopOf(tenantId, kind, id), [{ type: 'rollout.stopped', data }]);
    return { result: undefined, records: await kind.published(tx, id) };
  });
}

function stopOf(tenantId: string, { name: entityType }: RolloutKind, entityId: string): AuditEvent {
  return {
    tenantId,
    actorId: null,
    actorType: 'system',
    correlationId: null,
    clientAddress: null,
    operation: 'stop_rollout',
    entityType,
    entityId,
    reason: 'error_rate',
  };
}
