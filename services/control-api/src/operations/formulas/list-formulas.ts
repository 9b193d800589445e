import { showFormula } from '../../formulas/fields.ts';
import { listFormulas as readFormulas } from '../../formulas/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import { envelope, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listFormulas(
  { postgres, inputLimits }: Dependencies,
  { principal, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.pageSize);
  const name = reader.single('name', inputLimits.nameLength);
  reader.done();
  const { total, rows } = await readFormulas(postgres, principal.tenantId, name, page);
  return { status: 200, body: envelope(page, total, rows.map(showFormula)) };
}
