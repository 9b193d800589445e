import { applicationTypes } from '@glovebox/access/permission';

import { showApplication } from '../../applications/fields.ts';
import { listApplications as readApplications } from '../../applications/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { envelope, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listApplications(
  { postgres, inputLimits }: Dependencies,
  { principal, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.pageSize);
  const filter = { ids: reader.uuids('id'), types: reader.anyOf('type', applicationTypes) };
  reader.done();
  const { total, rows } = await readApplications(postgres, principal.tenantId, filter, page);
  const data = rows.map((row) => showApplication(row));
  return { status: 200, body: envelope(page, total, data) };
}
