import { showFormula } from '../../formulas/formula.ts';
import { listFormulas as readFormulas } from '../../formulas/store.ts';
import type { Handler } from '../../http/call.ts';
import { envelope, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import type { FormulaDependencies } from './dependencies.ts';

export function listFormulas({ postgres, inputLimits }: FormulaDependencies): Handler {
  return async ({ principal, query }) => {
    const reader = new QueryReader(query);
    const page = readPage(reader, inputLimits.pageSize);
    const name = reader.single('name', inputLimits.nameLength);
    reader.done();
    const { total, rows } = await readFormulas(postgres, principal.tenantId, name, page);
    return { status: 200, body: envelope(page, total, rows.map(showFormula)) };
  };
}
