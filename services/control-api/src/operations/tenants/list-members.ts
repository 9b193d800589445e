import type { Call, Reply } from '../../http/call.ts';
import { envelope, offsetOf, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { showOwner } from './member.ts';

export async function listMembers(
  { postgres, inputLimits }: Dependencies,
  { principal, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.memberPageSize);
  const userIds = reader.uuids('user_id');
  reader.done();
  const tenant = await findTenant(postgres, principal.tenantId);
  const found = userIds.length === 0 || userIds.includes(tenant.owner_id) ? [showOwner(tenant)] : [];
  const start = offsetOf(page);
  return { status: 200, body: envelope(page, found.length, found.slice(start, start + page.size)) };
}
