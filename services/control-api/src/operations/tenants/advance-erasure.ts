import type { Transacting, Queryable } from '@glovebox/platform/db/postgres';

import { rowErasers } from '../../tenants/erase-rows.ts';
import type { TenantEraser } from '../../tenants/eraser.ts';
import {
  type Certificate,
  type Erasure,
  addErased,
  endErasure,
  findErasure,
  keepCertificate,
  lockUnended,
} from '../../tenants/erasures.ts';

export interface ErasureDependencies {
  readonly postgres: Transacting;
  readonly eraser: TenantEraser;
}

/**
 * Takes an erasure as far as it goes now: the vault destroys the keys, this service erases what is left in its database,
 * and the vault certifies. Each step may be repeated, and any process may take the next one.
 * @param settleMs how long a request that had begun before the deletion may have gone on writing
 * @returns the certificate, once nothing of the tenant is left
 * @throws AppError `unavailable`
 */
export async function advanceErasure(
  { postgres, eraser }: ErasureDependencies,
  tenantId: string,
  settleMs: number,
): Promise<Certificate | undefined> {
  const begun = await findErasure(postgres, tenantId);
  if (begun === undefined || begun.certificate !== null) return begun?.certificate ?? undefined;
  const early = await certified({ postgres, eraser }, begun);
  if (early !== undefined || begun.endedAt !== null) return early;
  await eraseRows(postgres, tenantId);
  await endErasure(postgres, tenantId, settleMs);
  const ended = await findErasure(postgres, tenantId);
  return ended === undefined || ended.endedAt === null ? undefined : certified({ postgres, eraser }, ended);
}

async function certified(
  { postgres, eraser }: ErasureDependencies,
  erasure: Erasure,
): Promise<Certificate | undefined> {
  const { certificate } = await eraser.erase(erasure);
  if (certificate !== undefined) await keepCertificate(postgres, erasure.tenantId, certificate);
  return certificate;
}

async function eraseRows(postgres: Transacting, tenantId: string): Promise<void> {
  for (const { kind, erase } of rowErasers) {
    for (let more = true; more;) {
      more = await postgres.transaction(async (tx: Queryable) => {
        if (!(await lockUnended(tx, tenantId))) return false;
        const erased = await erase(tx, tenantId);
        if (erased > 0) await addErased(tx, tenantId, kind, erased);
        return erased > 0;
      });
    }
  }
}
