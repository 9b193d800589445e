import { webhookEvents } from '@glovebox/published/webhook-events';

import type { Reply } from '../../http/call.ts';

/** A bare array, as existing clients expect it (contract/webhooks.md#events). */
export async function listEventTypes(): Promise<Reply> {
  return { status: 200, body: webhookEvents };
}
