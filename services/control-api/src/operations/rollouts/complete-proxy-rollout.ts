import type { Queryable } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import type { Call, Reply } from '../../http/call.ts';
import { proxyRollouts } from '../../proxies/rollouts.ts';
import { findRollout } from '../../rollouts/kind.ts';
import { changedRollout } from '../../rollouts/rollout.ts';
import { showRollout } from '../../rollouts/show-rollout.ts';
import type { Dependencies } from '../dependencies.ts';
import { prepareRestore } from '../proxies/restore-proxy.ts';

/** Makes the second version the present one; one with a higher number than the present keeps its number. */
export async function completeProxyRollout(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, figures } = dependencies;
  const { principal, id } = call;
  const { tenantId, applicationId: modified_by } = principal;
  const running = async (db: Queryable) => {
    const { row } = await findRollout(proxyRollouts, db, tenantId, id);
    if (row.state === 'running') return row;
    throw new AppError('conflict', `The rollout has ended already: it is ${row.state}.`);
  };
  const { id: rolloutId, version } = await running(postgres);
  const restore = await prepareRestore(dependencies, { ...call, version: Number(version) }, 'keep number');
  const found = await changes.apply(auditEvent(call, 'complete_rollout', 'proxy', id), async (tx) => {
    const { result, records, events = [] } = await restore(tx);
    const row = await running(tx);
    if (row.id !== rolloutId) throw new AppError('conflict', 'Another rollout has begun meanwhile.');
    const completed = changedRollout(row, { state: 'completed', modified_by });
    await proxyRollouts.store(tx, completed);
    const published = [...records, ...(await proxyRollouts.published(tx, id))];
    return { result: { row: completed, present: result.version }, records: published, events };
  });
  return { status: 200, body: await showRollout(figures, found), version: found.present };
}
