import type { Call, Reply } from '../../http/call.ts';
import { showEgressPolicy } from '../../tenants/fields.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getEgressPolicy({ postgres }: Dependencies, { principal }: Call): Promise<Reply> {
  return { status: 200, body: showEgressPolicy(await findTenant(postgres, principal.tenantId)) };
}
