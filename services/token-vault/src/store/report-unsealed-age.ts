import type { Queryable } from '@glovebox/platform/db/postgres';
import type { MetricsRegistry } from '@glovebox/platform/telemetry/metrics';

import { addSeldomReadGauge } from './seldom-read-gauge.ts';

/** Shows for how long the audit log has waited to be sealed: rows that are younger could still be changed unnoticed. */
export function reportUnsealedAge(registry: MetricsRegistry, db: Queryable): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_vault_audit_unsealed_seconds',
    help: 'Age of the oldest row of the audit log that is not sealed yet; of all vaults together.',
    everyMs: 15_000,
    read: () => unsealedAge(db),
  });
}

async function unsealedAge(db: Queryable): Promise<number> {
  const rows = await db.query<{ age: number }>(
    'audit-unsealed-age',
    `SELECT extract(epoch FROM now() - at)::float8 AS age FROM audit
      WHERE id > coalesce((SELECT last_id FROM audit_seal ORDER BY number DESC LIMIT 1), 0) ORDER BY id LIMIT 1`,
  );
  return rows[0]?.age ?? 0;
}
