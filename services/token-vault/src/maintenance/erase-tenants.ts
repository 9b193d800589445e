import { setTimeout as sleep } from 'node:timers/promises';

import type { VaultContext } from '../context/vault-context.ts';
import { type RowEraser, rowErasers } from '../store/erase-rows.ts';
import { addErased, endOfRows, findErasure, lockUnfinished, unfinishedErasures } from '../store/erasures.ts';

type Erasing = Pick<VaultContext, 'postgres' | 'sessions' | 'uses' | 'metrics' | 'logger'>;

/**
 * Erases the rows of tenants whose keys were destroyed, a batch at a time, and pauses for as long as a batch took. Vaults
 * share the work. It may be interrupted at any time: each batch is counted in its own transaction.
 * @param settleMs how long another vault may have gone on writing
 */
export async function eraseTenants(vault: Erasing, settleMs: number): Promise<void> {
  for (const tenantId of await unfinishedErasures(vault.postgres.acrossTenants('erasure'))) {
    try {
      await eraseTenant(vault, tenantId, settleMs);
    } catch (err) {
      vault.logger.warn(
        { err, tenant_id: tenantId },
        'a tenant was not erased; the next round will try again',
      );
    }
  }
}

async function eraseTenant(vault: Erasing, tenantId: string, settleMs: number): Promise<void> {
  for (const eraser of rowErasers) {
    for (let more = true; more;) {
      const began = performance.now();
      const erased = await eraseBatch(vault, tenantId, eraser);
      // Another vault is at it.
      if (erased === undefined) return;
      vault.metrics.erased.add(erased);
      more = erased > 0;
      if (more) await sleep(performance.now() - began);
    }
  }
  const erasure = await findErasure(vault.postgres.forTenant(tenantId), tenantId);
  await vault.sessions.forgetTenant(tenantId);
  await vault.uses.forget(tenantId, erasure?.applicationIds ?? []);
  await endOfRows(vault.postgres.forTenant(tenantId), tenantId, settleMs);
}

function eraseBatch(
  { postgres }: Pick<Erasing, 'postgres'>,
  tenantId: string,
  { kind, erase }: RowEraser,
): Promise<number | undefined> {
  return postgres.forTenant(tenantId).transaction(async (tx) => {
    if (!(await lockUnfinished(tx, tenantId))) return undefined;
    const erased = await erase(tx, tenantId);
    if (erased > 0) await addErased(tx, tenantId, kind, erased);
    return erased;
  });
}
