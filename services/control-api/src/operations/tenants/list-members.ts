import type { Call, Reply } from '../../http/call.ts';
import { envelope, offsetOf, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { showMember } from '../../people/fields.ts';
import * as store from '../../people/store.ts';
import { findTenant } from '../../tenants/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { showOwner } from './member.ts';

/** The owner, then the members as they came. */
export async function listMembers(
  { postgres, inputLimits }: Dependencies,
  { principal: { tenantId }, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.memberPageSize);
  const userIds = reader.uuids('user_id');
  reader.done();
  const tenant = await findTenant(postgres, tenantId);
  const owners = userIds.length === 0 || userIds.includes(tenant.owner_id) ? [showOwner(tenant)] : [];
  const total = owners.length + (await store.countMembers(postgres, tenantId, userIds));
  const start = offsetOf(page);
  const first = owners.slice(start, start + page.size);
  const range = { limit: page.size - first.length, offset: Math.max(0, start - owners.length) };
  const members = await store.listMembers(postgres, tenantId, userIds, range);
  return { status: 200, body: envelope(page, total, [...first, ...members.map(showMember)]) };
}
