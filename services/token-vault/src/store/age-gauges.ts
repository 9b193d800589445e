import type { Queryable } from '@glovebox/platform/db/postgres';
import { type MetricsRegistry, Gauge } from '@glovebox/platform/telemetry/metrics';
import { addSeldomReadGauge } from '@glovebox/platform/telemetry/seldom-read-gauge';

import { waitingErasures } from './erasures.ts';
import { countUntagged } from './row-formats.ts';

/** The age of the oldest data key that still seals new data. It falls when keys rotate. */
export function addKeyAgeGauge(registry: MetricsRegistry, db: Queryable): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_vault_key_age_seconds',
    help: 'Age of the oldest data key that new data is sealed under.',
    everyMs: 60_000,
    read: () => oldestAge(db),
  });
}

/** The age at which a data key is rotated. */
export function addKeyMaxAgeGauge(registry: MetricsRegistry, maxAgeDays: number): void {
  const gauge = new Gauge({
    name: 'glovebox_vault_key_max_age_seconds',
    help: 'Age at which a data key is rotated.',
    registers: [registry],
  });
  gauge.set(maxAgeDays * 86_400);
}

/** The seals of the data key that has sealed most, and still seals. It falls when keys rotate, at 2^30. */
export function addKeySealsGauge(registry: MetricsRegistry, db: Queryable): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_vault_key_seals',
    help: 'Values that the most used data key may have sealed, of those that new data is sealed under.',
    everyMs: 60_000,
    read: () => mostSealed(db),
  });
}

async function mostSealed(db: Queryable): Promise<number> {
  const rows = await db.query<{ seals: string | null }>(
    'most-sealed-key',
    `SELECT max(seals) AS seals
       FROM (SELECT DISTINCT ON (tenant_id) seals FROM tenant_key WHERE kind = 'data'
              ORDER BY tenant_id, version DESC) AS current`,
  );
  return Number(rows[0]?.seals ?? 0);
}

async function oldestAge(db: Queryable): Promise<number> {
  const rows = await db.query<{ age: number | null }>(
    'oldest-key-age',
    `SELECT extract(epoch FROM now() - min(newest))::float8 AS age
       FROM (SELECT max(created_at) AS newest FROM tenant_key WHERE kind = 'data' GROUP BY tenant_id) AS current`,
  );
  return rows[0]?.age ?? 0;
}

/** How long audit rows have waited for their seal. Unsealed rows could be changed unnoticed. */
export function addUnsealedAgeGauge(registry: MetricsRegistry, db: Queryable): void {
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

const mostCounted = 100_000;

/** Rows that wait to be sealed in format 2. Until then a change of their columns goes unnoticed. */
export function addUntaggedTokensGauge(registry: MetricsRegistry, db: Queryable): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_vault_untagged_tokens',
    help: 'Tokens that are not authenticated yet, counted up to 100,000; of all vaults together.',
    everyMs: 60_000,
    read: () => countUntagged(db, mostCounted),
  });
}

/** Erasures that do not come to an end. The keys are destroyed by then. */
export function addErasuresGauge(registry: MetricsRegistry, db: Queryable): void {
  addSeldomReadGauge(registry, {
    name: 'glovebox_vault_erasure_waiting_seconds',
    help: 'How long the oldest erasure of a tenant has waited for its certificate; 0 when none does; of all vaults together.',
    everyMs: 15_000,
    read: () => waitingErasures(db),
  });
}
