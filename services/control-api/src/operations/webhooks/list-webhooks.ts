import type { Handler } from '../../http/call.ts';
import { readSize } from '../../http/page.ts';
import { QueryReader } from '../../http/query.ts';
import { readCursor, writeCursor } from '../../webhooks/cursor.ts';
import { listWebhooks as readWebhooks } from '../../webhooks/store.ts';
import { showWebhook } from '../../webhooks/webhook.ts';
import type { WebhookDependencies } from './create-webhook.ts';

/** By cursor (contract/conventions.md#pagination). */
export function listWebhooks({ postgres, inputLimits }: WebhookDependencies): Handler {
  return async ({ principal, query }) => {
    const reader = new QueryReader(query);
    const start = reader.single('start', 500);
    const size = readSize(reader, inputLimits.pageSize);
    reader.done();
    const rows = await readWebhooks(postgres, principal.tenantId, readCursor(start), size + 1);
    const shown = rows.slice(0, size);
    const last = rows.length > size ? shown.at(-1) : undefined;
    const pagination = { page_size: size, next: last && writeCursor(last) };
    return { status: 200, body: { pagination, data: shown.map(showWebhook) } };
  };
}
