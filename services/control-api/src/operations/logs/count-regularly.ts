import type { Postgres } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import { gatherOperationCounts } from '../../audit/operation-counts.ts';

/** Counts what was logged since the last time, again and again, until it is disposed. */
export function countRegularly(postgres: Postgres, intervalMs: number, logger: Logger): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    await gatherOperationCounts(postgres).catch((err: unknown) => {
      logger.warn({ err }, 'log entries were not counted; the next round will try again');
    });
  });
}
