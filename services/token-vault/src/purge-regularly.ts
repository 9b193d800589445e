import { purgeExpired } from './store/purge-expired.ts';
import type { VaultContext } from './vault-context.ts';

/** Removes expired rows again and again, `intervalMs` after the last time, until it is disposed. */
export function purgeRegularly(
  { postgres, logger, metrics }: Pick<VaultContext, 'postgres' | 'logger' | 'metrics'>,
  intervalMs: number,
): AsyncDisposable {
  let round = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const purge = async () => {
    try {
      metrics.purged.add(await purgeExpired(postgres));
    } catch (err) {
      logger.warn({ err }, 'expired tokens were not removed; the next round will try again');
    }
  };
  const schedule = () => {
    timer = setTimeout(() => {
      round = purge().then(schedule);
    }, intervalMs);
  };
  schedule();
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await round;
      clearTimeout(timer);
    },
  };
}
