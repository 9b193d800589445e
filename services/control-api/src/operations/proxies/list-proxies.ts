import type { Call, Reply } from '../../http/call.ts';
import { envelope, readPage } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { showProxy } from '../../proxies/fields.ts';
import { type ProxySecrets, openProxiesFor } from '../../proxies/secrets.ts';
import { listProxies as readProxies } from '../../proxies/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listProxies(
  { postgres, sealer, inputLimits }: Dependencies,
  { principal, query, correlationId }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const page = readPage(reader, inputLimits.pageSize);
  const filter = { ids: reader.uuids('id'), name: reader.single('name', inputLimits.nameLength) };
  reader.done();
  const { total, rows } = await readProxies(postgres, principal.tenantId, filter, page);
  const secrets = await openProxiesFor(principal, sealer, rows, correlationId);
  const data = rows.map((row, index) => showProxy(row, secrets[index] as ProxySecrets));
  return { status: 200, body: envelope(page, total, data) };
}
