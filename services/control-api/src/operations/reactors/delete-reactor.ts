import { auditEvent } from '../../audit/audit-event.ts';
import { lockOwnFormula, removeFormula } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { requireMatch } from '../../http/if-match.ts';
import { reactorEvent } from '../../reactors/published.ts';
import { reactorTombstone } from '../../reactors/published.ts';
import { reactorRolloutTombstones } from '../../reactors/rollouts.ts';
import { findReactor, lockReactor, removeReactor } from '../../reactors/store.ts';
import { reactorVersion } from '../../reactors/versions.ts';
import type { Dependencies } from '../dependencies.ts';

export async function deleteReactor({ changes }: Dependencies, call: Call): Promise<Reply> {
  const { principal, id } = call;
  const { tenantId } = principal;
  await changes.apply(auditEvent(call, 'delete', 'reactor', id), async (tx) => {
    const { formula } = await findReactor(tx, tenantId, id);
    // In the order of every lock.
    if (formula.inline) await lockOwnFormula(tx, tenantId, formula.id);
    const row = await lockReactor(tx, tenantId, id);
    requireMatch(call.ifMatch, reactorVersion(row));
    const records = [reactorTombstone(row), ...(await reactorRolloutTombstones(tx, [id]))];
    await removeReactor(tx, id);
    if (formula.inline) await removeFormula(tx, formula.id);
    return { result: undefined, records, events: [reactorEvent('deleted', row)] };
  });
  return { status: 204 };
}
