import type { DevelopmentTenant } from '@glovebox/local/settings';

import { addMember } from '../add-member.ts';
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
  /** Keeps the id of a `member`. */
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
      kept.set('member', await addMember(system, tenant.tenant_id, 'ann@example.org'));
    },
    [Symbol.asyncDispose]: () => destination[Symbol.asyncDispose](),
  };
}
