import { randomUUID } from 'node:crypto';

import { readRunning } from '@glovebox/local/run-journal';
import type { DevelopmentTenant } from '@glovebox/local/settings';
import pg from 'pg';

import { developmentTenant } from '../another-tenant.ts';
import { type Json, type Sent, send } from '../api.ts';
import { type Destination, startDestination } from '../destination.ts';
import type { System } from '../system.ts';

/** A tenant that the examples are sent to, and what they have made in it so far. */
export interface World extends AsyncDisposable {
  readonly base: string;
  readonly tenant: DevelopmentTenant;
  readonly destination: Destination;
  /** Ids and keys of what was made, by the names that steps use. */
  readonly kept: Map<string, string>;
  send(method: string, path: string, sent?: Sent): Promise<Json>;
  /** A person who has signed in: that needs a browser and an identity provider, which the examples are not about. */
  addMember(): Promise<void>;
}

export async function newWorld(system: System): Promise<World> {
  const tenant = await developmentTenant(system, 'examples');
  const destination = await startDestination();
  const base = system.dev.base_url;
  const kept = new Map([['destination', destination.url]]);
  return {
    base,
    tenant,
    destination,
    kept,
    async send(method, path, sent = {}) {
      const answer = await send(base, method, path, { key: tenant.management_api_key, ...sent });
      return answer.json;
    },
    async addMember() {
      const member = randomUUID();
      kept.set('member', member);
      const client = new pg.Client({
        connectionString: readRunning(system.stateDir)?.system?.databases.control,
      });
      await client.connect();
      try {
        await client.query(`SELECT set_config('glovebox.tenants', $1, false)`, [`{${tenant.tenant_id}}`]);
        await client.query(
          `INSERT INTO members (tenant_id, id, role, source, email, first_name, last_name, created_by, created_at)
           VALUES ($1, $2, 'VIEWER', 'invitation', 'ann@example.org', 'Ann', 'Lee', $2, now())`,
          [tenant.tenant_id, member],
        );
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: () => destination[Symbol.asyncDispose](),
  };
}
