import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { VaultContext } from '../context/vault-context.ts';
import { gatherOperations } from '../store/operation-counts.ts';
import { gatherActivity } from '../store/token-activity.ts';

/** Gathers again and again which tokens were active and what was done how often, an interval after the last time, until it is disposed. */
export function gatherRegularly(
  { postgres, logger }: Pick<VaultContext, 'postgres' | 'logger'>,
  intervalMs: number,
): AsyncDisposable {
  return repeatedly(intervalMs, async () => {
    await gatherActivity(postgres).catch((err: unknown) => {
      logger.warn({ err }, 'the activity of tokens was not gathered; the next round will try again');
    });
    await gatherOperations(postgres).catch((err: unknown) => {
      logger.warn({ err }, 'operations were not counted; the next round will try again');
    });
  });
}
