import type { Queryable } from '@glovebox/platform/db/postgres';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import { addSeldomReadGauge } from './seldom-read-gauge.ts';

/** Shows how old the oldest data key is that new data is still sealed under: when keys rotate, it falls. */
export function reportKeyAge(registry: MetricsRegistry, db: Queryable): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_vault_key_age_seconds',
    help: 'Age of the oldest data key that new data is sealed under.',
    everyMs: 60_000,
    read: () => oldestAge(db),
  });
}

async function oldestAge(db: Queryable): Promise<number> {
  const rows = await db.query<{ age: number | null }>(
    'oldest-key-age',
    `SELECT extract(epoch FROM now() - min(newest))::float8 AS age
       FROM (SELECT max(created_at) AS newest FROM tenant_key WHERE kind = 'data' GROUP BY tenant_id) AS current`,
  );
  return rows[0]?.age ?? 0;
}
