import type { Call, Reply } from '../../http/call.ts';
import { envelope, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { showReactor } from '../../reactors/fields.ts';
import { openConfigurationsFor } from '../../reactors/secrets.ts';
import { listReactors as readReactors } from '../../reactors/store.ts';
import type { Configuration } from '../../secrets/sealer.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listReactors(
  { postgres, sealer, inputLimits }: Dependencies,
  { principal, query, correlationId }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.pageSize);
  const filter = { ids: reader.uuids('id'), name: reader.single('name', inputLimits.nameLength) };
  reader.done();
  const { total, rows } = await readReactors(postgres, principal.tenantId, filter, page);
  const configurations = await openConfigurationsFor(principal, sealer, rows, correlationId);
  const data = rows.map((row, index) => showReactor(row, configurations[index] as Configuration));
  return { status: 200, body: envelope(page, total, data) };
}
