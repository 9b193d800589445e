import { randomUUID } from 'node:crypto';

import { readRunning } from '@glovebox/local/run-journal';
import pg from 'pg';

import type { System } from './system.ts';

/**
 * A person who has signed in to a tenant as a VIEWER, written into the database: to sign in takes a browser and an identity
 * provider, which the shared system has not.
 *
 * @returns their id
 */
export async function addMember({ stateDir }: System, tenantId: string, email: string): Promise<string> {
  const id = randomUUID();
  const client = new pg.Client({ connectionString: readRunning(stateDir)?.system?.databases.control });
  await client.connect();
  try {
    await client.query(`SELECT set_config('glovebox.tenants', $1, false)`, [`{${tenantId}}`]);
    await client.query(
      `INSERT INTO members (tenant_id, id, role, source, email, first_name, last_name, created_by, created_at)
       VALUES ($1, $2, 'VIEWER', 'invitation', $3, 'Ann', 'Lee', $2, now())`,
      [tenantId, id, email],
    );
  } finally {
    await client.end();
  }
  return id;
}
