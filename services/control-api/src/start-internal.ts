import { addLogRoomGauge } from '@glovebox/platform/db/log-partitions';
import type { Postgres } from '@glovebox/platform/db/postgres';
import { reportRowSecurity } from '@glovebox/platform/db/row-security';
import type { GrpcChannel } from '@glovebox/platform/grpc/client';
import { type ReadinessCheck, startInternalServer } from '@glovebox/platform/http/internal-server';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import { managementLog } from './audit/store.ts';
import type { ControlConfig } from './config.ts';
import { firstConnection } from './first-connection.ts';
import type { Publisher } from './publication/publisher.ts';

interface Watched {
  readonly metrics: MetricsRegistry;
  readonly postgres: Pick<Postgres, 'ping' | 'withoutTenant'>;
  readonly logger: Logger;
  readonly publisher: Publisher;
  /** Undefined when another sealer replaces it. */
  readonly vault: GrpcChannel | undefined;
  readonly runner: GrpcChannel;
  readonly drain: ReadinessCheck;
}

/** Starts the internal port: health, readiness and metrics. */
export function startInternal(config: ControlConfig, watched: Watched) {
  const { metrics, postgres, logger, publisher, vault, runner, drain } = watched;
  const db = postgres.withoutTenant;
  addLogRoomGauge(metrics, managementLog(db));
  return startInternalServer({
    host: config.metricsHost,
    port: config.metricsPort,
    metrics,
    notes: { row_security: reportRowSecurity({ db, table: 'applications', metrics, logger }) },
    readiness: {
      postgres: () => postgres.ping().then(nothing, () => 'no answer'),
      projection: () => publisher.problem(),
      vault: () => vault?.waitForReady(500).then(nothing, () => 'not connected'),
      runner: firstConnection(runner),
      drain,
    },
  });
}

const nothing = () => undefined;
