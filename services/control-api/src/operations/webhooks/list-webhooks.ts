import type { Call, Reply } from '../../http/call.ts';
import { readSize } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { readCursor, writeCursor } from '../../webhooks/cursor.ts';
import { showWebhook } from '../../webhooks/fields.ts';
import { listWebhooks as readWebhooks } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';

/** By cursor (contract/conventions.md#pagination). */
export async function listWebhooks(
  { postgres, inputLimits }: Dependencies,
  { principal, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const start = reader.single('start', 500);
  const size = readSize(reader, inputLimits.pageSize);
  reader.done();
  const rows = await readWebhooks(postgres, principal.tenantId, readCursor(start), size + 1);
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  const pagination = { page_size: size, next: last && writeCursor(last) };
  return { status: 200, body: { pagination, data: shown.map(showWebhook) } };
}
