import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { ChangeResult } from '../../publication/changes.ts';
import type { NamedRecord } from '../../publication/record.ts';
import { type RolloutKind, findRollout } from '../../rollouts/kind.ts';
import { changedRollout } from '../../rollouts/rollout.ts';
import { showRollout } from '../../rollouts/show-rollout.ts';
import type { Dependencies } from '../dependencies.ts';

interface CompletedKind {
  readonly rollouts: RolloutKind;
  readonly prepareRestore: (
    dependencies: Dependencies,
    call: Call,
    number: 'keep number',
  ) => Promise<
    (
      tx: Queryable,
    ) => Promise<ChangeResult<{ readonly version: string }> & { readonly records: readonly NamedRecord[] }>
  >;
}

/** Makes the second version the present one; one with a higher number than the present keeps its number. */
export function completeRollout({ rollouts, prepareRestore }: CompletedKind) {
  return async (dependencies: Dependencies, call: Call): Promise<Reply> => {
    const { postgres, changes, figures } = dependencies;
    const { principal, id } = call;
    const { tenantId, applicationId: modified_by } = principal;
    const running = async (db: Queryable) => {
      const { row } = await findRollout(rollouts, db, tenantId, id);
      if (row.state === 'running') return row;
      throw new AppError('conflict', `The rollout has ended already: it is ${row.state}.`);
    };
    const { id: rolloutId, version } = await running(postgres);
    const restore = await prepareRestore(dependencies, { ...call, version: Number(version) }, 'keep number');
    const found = await changes.apply(auditEvent(call, 'complete_rollout', rollouts.name, id), async (tx) => {
      const { result, records, events = [] } = await restore(tx);
      const row = await running(tx);
      if (row.id !== rolloutId) throw new AppError('conflict', 'Another rollout has begun meanwhile.');
      const completed = changedRollout(row, { state: 'completed', modified_by });
      await rollouts.store(tx, completed);
      const published = [...records, ...(await rollouts.published(tx, id))];
      return { result: { row: completed, present: result.version }, records: published, events };
    });
    return { status: 200, body: await showRollout(figures, found), version: found.present };
  };
}
