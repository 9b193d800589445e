import { purgeRecords } from '@glovebox/platform/once';
import { repeatedly } from '@glovebox/platform/repeatedly';

import { purgeSecurityCodes } from './purge-security-codes.ts';
import { purgeExpired } from './store/purge-expired.ts';
import type { VaultContext } from './vault-context.ts';

/** Removes what has expired again and again, `intervalMs` after the last time, until it is disposed. */
export function purgeRegularly(vault: VaultContext, intervalMs: number): AsyncDisposable {
  const { metrics, logger, postgres } = vault;
  return repeatedly(intervalMs, async () => {
    try {
      metrics.purged.add(await purgeExpired(postgres));
      metrics.securityCodesPurged.add(await purgeSecurityCodes(vault));
      await purgeRecords(postgres, Date.now());
    } catch (err) {
      logger.warn({ err }, 'not all that has expired was removed; the next round will try again');
    }
  });
}
