import type { Call, Reply } from '../../http/call.ts';
import { envelope, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { invitationStatuses, showInvitation } from '../../invitations/fields.ts';
import { listInvitations as readInvitations } from '../../invitations/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listInvitations(
  { postgres, inputLimits }: Dependencies,
  { principal, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.pageSize);
  const status = reader.oneOf('status', invitationStatuses);
  reader.done();
  const now = new Date();
  const { total, rows } = await readInvitations(postgres, principal.tenantId, { status, now }, page);
  const data = rows.map((row) => showInvitation(row, now));
  return { status: 200, body: envelope(page, total, data) };
}
