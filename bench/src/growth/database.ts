import { randomUUID } from 'node:crypto';

import type { RunningPostgres } from '@glovebox/local/postgres';
import pg from 'pg';

import { schema } from '../../../services/token-vault/src/store/migrations.ts';
import { MigratedDatabases } from '../../../test/harness/migrated-databases.ts';

/** A vault's database with many rows of one tenant, and a tenth as many of another. */
export interface GrownDatabase extends AsyncDisposable {
  readonly tenantId: string;
  /** By the role of a vault, planned as for a vault. */
  readonly serviceUrl: string;
  /** Of the superuser. */
  readonly admin: pg.Client;
}

/** @param rows tokens, and as many entries of the log over the last year, a partition for each month */
export async function growDatabase(server: RunningPostgres, rows: number): Promise<GrownDatabase> {
  const name = `growth_${rows}`;
  const serviceUrl = await new MigratedDatabases(server, schema).create(name);
  await using stack = new AsyncDisposableStack();
  const admin = new pg.Client({ connectionString: server.url(name) });
  await admin.connect();
  stack.defer(() => admin.end());
  const tenantId = randomUUID();
  await admin.query(yearOfPartitions);
  for (const [tenant, count] of [
    [tenantId, rows],
    [randomUUID(), Math.ceil(rows / 10)],
  ] as const) {
    await admin.query(tokens, [tenant, count]);
    await admin.query(entries, [tenant, count]);
  }
  await admin.query('VACUUM ANALYZE token');
  await admin.query('VACUUM ANALYZE audit');
  const held = stack.move();
  return { tenantId, serviceUrl, admin, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const yearOfPartitions = `
  DO $$
  BEGIN
    ALTER TABLE audit DETACH PARTITION audit_first;
    EXECUTE format('ALTER TABLE audit ATTACH PARTITION audit_first FOR VALUES FROM (MINVALUE) TO (%L)',
                   date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 year');
    PERFORM make_audit_partitions(now() + interval '2 months', 'month');
  END $$`;

const tokens = `
  INSERT INTO token (tenant_id, id, type, container, sealed_data, metadata, search_indexes, search_hashes, created_by,
                     created_at, cvc_expires_at)
  SELECT $1::uuid, 't' || i, CASE WHEN i % 3 = 0 THEN 'card' ELSE 'token' END, '/pci/high/', sha256(i::text::bytea),
         jsonb_build_object('customer', 'c-' || i / 5), '{}', '{}', $1::uuid,
         now() - i * (interval '31536000 seconds' / $2::integer), NULL
    FROM generate_series(1, $2::integer) AS i`;

const entries = `
  INSERT INTO audit (tenant_id, application_id, operation, token_id, outcome, view, purpose, purpose_id, correlation_id, at)
  SELECT $1::uuid, $1::uuid, 'use', 't' || i, 'allowed', 'reveal', 'proxy', $1::text, gen_random_uuid()::text,
         now() - i * (interval '31104000 seconds' / $2::integer)
    FROM generate_series($2::integer, 1, -1) AS i`;
