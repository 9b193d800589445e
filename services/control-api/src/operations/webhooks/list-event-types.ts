import { webhookEvents } from '@glovebox/published/webhook-events';

import type { Handler } from '../../http/call.ts';

/** A bare array, as existing clients expect it (contract/webhooks.md#events). */
export const listEventTypes: Handler = async () => ({ status: 200, body: webhookEvents });
