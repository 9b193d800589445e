import { makePartitionsAhead } from '@glovebox/platform/db/log-partitions';
import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import { gatherOperationCounts } from './audit/operation-counts.ts';
import { managementLog, purgeEntries } from './audit/store.ts';
import type { ControlConfig } from './config.ts';
import { removeExpired } from './operations/applications/remove-expired.ts';
import { resealSecrets } from './operations/resealing/reseal-secrets.ts';
import { stopRollouts } from './operations/rollouts/stop-rollouts.ts';
import { advanceErasure } from './operations/tenants/advance-erasure.ts';
import { purgeSessions } from './people/sessions.ts';
import { proxyRollouts } from './proxies/rollouts.ts';
import type { Changes } from './publication/changes.ts';
import { reactorRollouts } from './reactors/rollouts.ts';
import type { RolloutFigures } from './rollouts/figures.ts';
import type { Sealer } from './secrets/sealer.ts';
import type { TenantEraser } from './tenants/eraser.ts';
import { unfinishedErasures } from './tenants/erasures.ts';

interface PeriodicTaskDependencies {
  readonly postgres: TenantDatabase;
  readonly changes: Changes;
  readonly figures: RolloutFigures;
  readonly eraser: TenantEraser;
  readonly sealer: Sealer;
  readonly logger: Logger;
}

/** Figures arrive every second: a rollout that fails stops within five. */
const rolloutsMs = 1000;
const dayMs = 24 * 60 * 60_000;

/** Runs until it is disposed. A task that fails is tried again in the next round. */
export function startPeriodicTasks(
  {
    logRetention: { days, intervalMs },
    erasure,
    resealing,
  }: Pick<ControlConfig, 'logRetention' | 'erasure' | 'resealing'>,
  { postgres, changes, figures, eraser, sealer, logger }: PeriodicTaskDependencies,
): AsyncDisposable {
  const tasks = new AsyncDisposableStack();
  const purged = postgres.acrossTenants('purge');
  const start = (task: () => Promise<void>, failure: string, pauseMs = intervalMs) =>
    tasks.use(
      repeatedly(pauseMs, () =>
        task().catch((err: unknown) => {
          logger.warn({ err }, `${failure}; the next round will try again`);
        }),
      ),
    );
  start(
    () => makePartitionsAhead(managementLog(postgres.withoutTenant), days, logger),
    'partitions were not made',
  );
  if (days > 0) {
    const purge = () => purgeEntries(purged, new Date(Date.now() - days * dayMs));
    start(purge, 'old log entries were not removed');
  }
  start(() => gatherOperationCounts(postgres.acrossTenants('reports')), 'log entries were not counted');
  start(() => removeExpired({ postgres: purged, changes }), 'expired applications were not removed');
  start(() => purgeSessions(purged, new Date()), 'sessions that had ended were not removed');
  const advance = async () => {
    for (const { tenantId } of await unfinishedErasures(postgres.acrossTenants('erasure')))
      await advanceErasure({ postgres: postgres.forTenant(tenantId), eraser }, tenantId, erasure.settleMs);
  };
  start(advance, 'a tenant was not erased', erasure.intervalMs);
  for (const kind of [proxyRollouts, reactorRollouts]) {
    const stop = () => stopRollouts({ postgres, changes, figures }, kind);
    start(stop, 'rollouts were not watched', rolloutsMs);
  }
  const reseal = async () => void (await resealSecrets({ postgres, sealer, logger }));
  start(reseal, 'secrets were not sealed anew', resealing.intervalMs);
  return tasks;
}
