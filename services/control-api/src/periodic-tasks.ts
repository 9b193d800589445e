import type { Postgres } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import type { ControlConfig } from './config.ts';
import { purgeExpired } from './operations/applications/purge-expired.ts';
import { countRegularly } from './operations/logs/count-regularly.ts';
import { purgeLogs } from './operations/logs/purge-logs.ts';
import type { Changes } from './publication/changes.ts';

interface PeriodicTaskDependencies {
  readonly postgres: Postgres;
  readonly changes: Changes;
  readonly logger: Logger;
}

/** What the service does by itself again and again, until it is disposed. */
export function startPeriodicTasks(
  { logRetention }: Pick<ControlConfig, 'logRetention'>,
  { postgres, changes, logger }: PeriodicTaskDependencies,
): AsyncDisposable {
  const rounds = new AsyncDisposableStack();
  rounds.use(purgeLogs(postgres, logRetention, logger));
  rounds.use(countRegularly(postgres, logRetention.intervalMs, logger));
  rounds.use(purgeExpired({ postgres, changes }, logRetention.intervalMs, logger));
  return rounds;
}
