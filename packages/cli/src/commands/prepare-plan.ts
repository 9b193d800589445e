import type { Api } from '../api/api.ts';
import { plainText } from '../api/json.ts';
import type { Folder } from '../files/folder.ts';
import { readFolder } from '../files/read-folder.ts';
import { type Plan, makePlan, wantedKinds } from '../plan/plan.ts';
import { State } from '../plan/state.ts';
import { readTenant } from '../plan/tenant.ts';
import { managementApi } from '../profile/connect.ts';
import { loadProfile } from '../profile/profile.ts';
import type { Call } from './command.ts';

export interface Prepared {
  readonly api: Api;
  readonly tenant: string;
  readonly state: State;
  readonly folder: Folder;
  readonly plan: Plan;
}

/** Reads the folder and the tenant, and says what differs. `diff` shows it, `apply` does it. */
export async function preparePlan(call: Call): Promise<Prepared> {
  const directory = call.text('folder') ?? '.';
  const folder = await readFolder(directory, call.env);
  const api = managementApi(loadProfile(call.env, call.text('profile')));
  const own = await api.read('/applications/key');
  const state = State.read(directory, plainText(own['tenant_id']));
  const wanted = wantedKinds(folder, (kind) => state.marked(kind).size);
  const tenant = await readTenant(api, own, wanted, folder.egressPolicy !== undefined);
  return { api, tenant: tenant.id, state, folder, plan: makePlan(folder, tenant, state, call.is('prune')) };
}
