import type { Queryable } from '@glovebox/platform/db/postgres';
import { publicKeyOf } from '@glovebox/platform/signed-log/public-key';
import { documentProblem } from '@glovebox/platform/signed-log/signed-document';

import { type Erasure, listErasures, tenantsWithKeys } from '../store/erasures.ts';
import type { PublicAuditKey } from './audit-signer.ts';
import { certificateFormat } from './erasure-certificate.ts';

export interface VerifiedErasures {
  /** With a certificate that verifies. */
  readonly certified: number;
  /** Their rows are still being erased. */
  readonly underWay: number;
  readonly mismatch: { readonly tenantId: string; readonly problem: string } | undefined;
}

/**
 * Tokens and keys of an erased tenant need not be there. So who could invent an erasure could hide what was removed: an
 * erasure has to have a certificate, or to be under way; and no key of its tenant may be left.
 */
export async function verifyErasures(
  db: Queryable,
  keys: readonly PublicAuditKey[],
): Promise<VerifiedErasures> {
  const known = new Map(
    keys.flatMap(({ fingerprint, x }) => {
      const key = publicKeyOf(x);
      return key === undefined ? [] : [[fingerprint, key] as const];
    }),
  );
  const erasures = await listErasures(db);
  const withKeys = new Set(
    await tenantsWithKeys(
      db,
      erasures.map(({ tenantId }) => tenantId),
    ),
  );
  let certified = 0;
  for (const erasure of erasures) {
    const { tenantId, certificate } = erasure;
    const problem = withKeys.has(tenantId)
      ? 'the tenant is recorded as erased, and its keys are there'
      : certificate === null
        ? undefined
        : certificateProblem(erasure, certificate, known);
    if (problem !== undefined)
      return { certified, underWay: 0, mismatch: { tenantId, problem: `erasure: ${problem}` } };
    if (certificate !== null) certified += 1;
  }
  return { certified, underWay: erasures.length - certified, mismatch: undefined };
}

function certificateProblem(
  { tenantId }: Erasure,
  certificate: Readonly<Record<string, unknown>>,
  known: Parameters<typeof documentProblem>[2],
): string | undefined {
  if (certificate['tenant_id'] !== tenantId) return 'its certificate is of another tenant';
  const problem = documentProblem(certificate, certificateFormat, known);
  return problem === undefined ? undefined : `its certificate ${problem}`;
}
