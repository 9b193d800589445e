import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { type RolloutKind, findRollout } from '../../rollouts/kind.ts';
import { changedRollout } from '../../rollouts/rollout.ts';
import type { Dependencies } from '../dependencies.ts';

/** Ends a rollout: everybody gets the present version. */
export function deleteRollout(kind: RolloutKind) {
  return async ({ changes }: Dependencies, call: Call): Promise<Reply> => {
    const { principal, id } = call;
    const { tenantId, applicationId: modified_by } = principal;
    await changes.apply(auditEvent(call, 'delete_rollout', kind.name, id), async (tx) => {
      await kind.lock(tx, tenantId, id);
      const { row } = await findRollout(kind, tx, tenantId, id);
      await kind.store(tx, changedRollout(row, { state: 'deleted', modified_by }));
      return { result: undefined, records: await kind.published(tx, id) };
    });
    return { status: 204 };
  };
}
