import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { AuditSeals } from '../audit/audit-seals.ts';

/** Seals again and again what was added to the audit log, an interval after the last time, until it is disposed. */
export function sealRegularly(seals: AuditSeals, intervalMs: number, logger: Logger): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    await seals.seal().catch((err: unknown) => {
      logger.warn({ err }, 'the audit log was not sealed; the next round will try again');
    });
  });
}
