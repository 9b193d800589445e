import type { Logger } from '@glovebox/platform/logger';
import type { Postgres } from '@glovebox/platform/postgres';
import { repeatedly } from '@glovebox/platform/repeatedly';

import { gatherDeeds } from './operation-counts.ts';

/** Counts what was logged since the last time, again and again, until it is disposed. */
export function countRegularly(postgres: Postgres, intervalMs: number, logger: Logger): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    await gatherDeeds(postgres).catch((err: unknown) => {
      logger.warn({ err }, 'log entries were not counted; the next round will try again');
    });
  });
}
