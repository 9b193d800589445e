import type { Handler } from '../../http/call.ts';
import { envelope, offsetOf, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { findTenant } from '../../tenants/store.ts';
import type { TenantDependencies } from './dependencies.ts';
import { showOwner } from './member.ts';

export function listMembers({ postgres, inputLimits }: TenantDependencies): Handler {
  return async ({ principal, query }) => {
    const reader = new QueryReader(query);
    const page = readPage(reader, inputLimits.memberPageSize);
    const userIds = reader.uuids('user_id');
    reader.done();
    const tenant = await findTenant(postgres, principal.tenantId);
    const found = userIds.length === 0 || userIds.includes(tenant.owner_id) ? [showOwner(tenant)] : [];
    const start = offsetOf(page);
    return { status: 200, body: envelope(page, found.length, found.slice(start, start + page.size)) };
  };
}
