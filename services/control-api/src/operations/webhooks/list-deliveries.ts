import type { Call, Reply } from '../../http/call.ts';
import { readSize } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { uuidPattern } from '../../http/shape.ts';
import { findWebhook } from '../../webhooks/store.ts';
import type { Dependencies } from '../dependencies.ts';
import { showDelivery } from './show-delivery.ts';

/** The latest of a webhook, newest first (contract/webhooks.md#deliveries). */
export async function listDeliveries(
  { postgres, deliveries, inputLimits }: Dependencies,
  { principal, id, query }: Call,
): Promise<Reply> {
  const reader = new QueryReader(query);
  const start = reader.parsed('start', 50, decodeCursor, 'is no cursor of a page');
  const size = readSize(reader, inputLimits.pageSize);
  reader.done();
  await findWebhook(postgres, principal.tenantId, id);
  const read = await deliveries.latest(id, size + 1, start);
  const shown = read.slice(0, size);
  const last = read.length > size ? shown.at(-1) : undefined;
  const next = last && Buffer.from(last.event.id).toString('base64url');
  return { status: 200, body: { pagination: { page_size: size, next }, data: shown.map(showDelivery) } };
}

function decodeCursor(text: string): string | undefined {
  const id = Buffer.from(text, 'base64url').toString('latin1');
  return uuidPattern.test(id) ? id : undefined;
}
