import { readRunning } from '@glovebox/local/run-journal';
import pg from 'pg';

import type { System } from '../../../test/harness/system.ts';

/** Copies a proxy so many times, with keys that nobody has: in the database only, as after the loss of Redis. */
export async function manyProxies({ stateDir }: System, count: number): Promise<void> {
  const { databases, migrationDatabases } = readRunning(stateDir)?.system ?? {};
  const client = new pg.Client({ connectionString: (migrationDatabases ?? databases)?.control });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO proxies (id, tenant_id, name, key_hash, sealed_key, destination_url, request_transform_code,
         sealed_configuration, require_auth, version, created_by, created_at, modified_by, modified_at)
       SELECT gen_random_uuid(), tenant_id, 'one of many', md5(i::text) || md5(i::text), sealed_key, destination_url,
              repeat('x', 500), sealed_configuration, true, 1, created_by, created_at, modified_by, modified_at
         FROM (SELECT * FROM proxies LIMIT 1) AS one, generate_series(1, $1) i`,
      [count],
    );
  } finally {
    await client.end();
  }
}
