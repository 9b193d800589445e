import { purgeRecords } from '@glovebox/platform/db/idempotent-transaction';
import { createPostgres } from '@glovebox/platform/db/postgres';
import type { Logger } from '@glovebox/platform/telemetry/logger';
import { FairGate } from '@glovebox/platform/values/fair-gate';
import { repeatedly } from '@glovebox/platform/values/repeatedly';

import type { ControlConfig } from './config.ts';
import type { Changes } from './publication/changes.ts';
import type { OnCheckpoint } from './publication/checkpoints.ts';
import type { Sealer } from './secrets/sealer.ts';
import { type RunIdempotently, createIdempotentRunner } from './transport/idempotency.ts';

export interface KeyedRequestsOptions {
  readonly config: ControlConfig;
  readonly logger: Logger;
  readonly changes: Changes;
  readonly sealer: Sealer;
  readonly clock?: (() => number) | undefined;
  readonly onCheckpoint?: OnCheckpoint | undefined;
}

const connections = 5;
/**
 * Fewer than `connections`, so that other tenants find room; two, so that a repeated request gets the answer that the
 * first one is still being processed.
 */
const perTenant = 2;
const purgePauseMs = 60_000;

/** Wires requests with an idempotency key, and the removal of old answers. */
export function createKeyedRequests(
  options: KeyedRequestsOptions,
): AsyncDisposable & { readonly runIdempotently: RunIdempotently } {
  const { config, logger, changes, sealer, clock = Date.now, onCheckpoint = () => undefined } = options;
  // Such a request holds its connection until it is answered; other requests must not wait for that.
  const postgres = createPostgres({
    url: config.databaseUrl,
    directUrl: config.directUrl,
    maxConnections: connections,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    applicationName: 'control-api keyed',
    onError: (error) => logger.warn({ err: error }, 'postgres connection'),
  });
  const purge = repeatedly(purgePauseMs, async () => {
    await purgeRecords(postgres.acrossTenants('purge'), clock()).catch((err: unknown) => {
      logger.warn({ err }, 'old idempotency records were not removed; the next round will try again');
    });
  });
  return {
    runIdempotently: createIdempotentRunner({
      ...config.idempotency,
      postgres,
      gate: new FairGate(connections, perTenant),
      changes,
      sealer,
      clock,
      onCheckpoint,
    }),
    async [Symbol.asyncDispose]() {
      await purge[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}
