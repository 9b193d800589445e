import type { Queryable } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import { purgeEntries } from '../../audit/store.ts';

const dayMs = 24 * 60 * 60_000;

/** Removes what is older than an operator wants to keep, again and again, until it is disposed. */
export function purgeLogs(
  db: Queryable,
  { days, intervalMs }: { readonly days: number; readonly intervalMs: number },
  logger: Logger,
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    if (days === 0) return;
    await purgeEntries(db, new Date(Date.now() - days * dayMs)).catch((err: unknown) => {
      logger.warn({ err }, 'old log entries were not removed; the next round will try again');
    });
  });
}
