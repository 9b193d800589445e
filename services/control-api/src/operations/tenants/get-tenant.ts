import type { Call, Reply } from '../../http/call.ts';
import { showTenant } from '../../tenants/fields.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getTenant({ postgres }: Dependencies, { principal }: Call): Promise<Reply> {
  return {
    status: 200,
    body: showTenant(await findTenant(postgres, principal.tenantId)),
  };
}
