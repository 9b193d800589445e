import { purgeRecords } from '@glovebox/platform/db/idempotent-transaction';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { AuditSeals } from '../audit/audit-seals.ts';
import type { VaultContext } from '../context/vault-context.ts';
import { purgeClientKeys } from '../store/client-keys.ts';
import { purgeExpired } from './purge-expired.ts';
import { purgeSecurityCodes } from './purge-security-codes.ts';

const dayMs = 24 * 60 * 60_000;

/** Removes what has expired again and again, an interval after the last time, until it is disposed. */
export function purgeRegularly(
  vault: VaultContext,
  seals: AuditSeals,
  {
    purgeIntervalMs,
    auditRetentionDays,
  }: { readonly purgeIntervalMs: number; readonly auditRetentionDays: number },
): AsyncDisposable {
  const { metrics, logger, postgres } = vault;
  return repeatedly(purgeIntervalMs, async () => {
    try {
      metrics.purged.add(await purgeExpired(vault));
      metrics.securityCodesPurged.add(await purgeSecurityCodes(vault));
      await purgeClientKeys(postgres);
      await purgeRecords(postgres, Date.now());
      if (auditRetentionDays > 0) {
        // What is not sealed is not removed.
        await seals.seal();
        await seals.purge(new Date(Date.now() - auditRetentionDays * dayMs));
      }
    } catch (err) {
      logger.warn({ err }, 'not all that has expired was removed; the next round will try again');
    }
  });
}
